// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_card.h"
#include "ui/charts/plot_view.h"
#include "ui/editor/scenario_editor.h"
#include "ui/plan/derivation_view.h"
#include "ui/plan/plan_tab.h"

#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>

using namespace kvplan;

namespace {

ChartCard* cardTitled(const PlanTab& tab, const QString& start)
{
    for (int i = 0; i < tab.cardCount(); ++i) {
        if (tab.card(i).title().startsWith(start)) {
            return &tab.card(i);
        }
    }
    return nullptr;
}

} // namespace

class TestPlanTab : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { loadTypeface(); }

    void init()
    {
        m_editor = std::make_unique<ScenarioEditor>();
        m_tab = std::make_unique<PlanTab>(*m_editor);
        m_tab->resize(1588, 800);
        m_tab->setTheme(Theme{});
        m_tab->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_tab.get()));
    }
    void cleanup()
    {
        m_tab.reset();
        m_editor.reset();
    }

    void cardsFollowTheRoom_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("least");
        QTest::addColumn<int>("most");
        QTest::newRow("1280 x 800") << QSize(948, 570) << 4 << 4;
        QTest::newRow("1600 x 1000") << QSize(1268, 730) << 5 << 6;
        QTest::newRow("1920 x 1080") << QSize(1588, 810) << 6 << 8;
        QTest::newRow("2560 x 1440") << QSize(2228, 1160) << 9 << 9;
    }
    void cardsFollowTheRoom()
    {
        QFETCH(QSize, size);
        QFETCH(int, least);
        QFETCH(int, most);
        m_tab->resize(size);
        const auto cards = m_tab->shownCards();
        QVERIFY2(static_cast<int>(cards.size()) >= least && static_cast<int>(cards.size()) <= most,
            qPrintable(QString::number(cards.size())));
        for (const ChartCard* a : cards) {
            QVERIFY(a->isVisible());
            QVERIFY(m_tab->rect().contains(a->geometry()));
            QVERIFY2(!a->cutsWords(), qPrintable(a->title() + u'|' + a->subtitle() + u'|' + a->footnote()));
            for (const ChartCard* b : cards) {
                QVERIFY(a == b || !a->geometry().intersects(b->geometry()));
            }
        }
    }

    void largestNumbersAreNotCut()
    {
        Scenario scenario;
        scenario.contextTokens = 10'000'000;
        scenario.concurrency = 99'999;
        scenario.replicas = 64;
        scenario.tensorParallel = 8;
        m_editor->replace(scenario, QStringLiteral("large"));
        QVERIFY(m_editor->plan());
        m_tab->resize(948, 570);
        for (int i = 0; i < m_tab->cardCount(); ++i) {
            QVERIFY2(!m_tab->card(i).cutsWords(), qPrintable(m_tab->card(i).title() + m_tab->card(i).subtitle()));
        }
    }

    void onlyVisibleCardsAreDrawn()
    {
        m_tab->resize(948, 570);
        const auto shown = m_tab->shownCards();
        std::vector<int> before;
        for (int i = 0; i < m_tab->cardCount(); ++i) {
            const auto* view = m_tab->card(i).findChild<PlotView*>();
            before.push_back(view != nullptr ? view->redraws() : 0);
        }
        QVERIFY(m_editor->setNumber(Field::Concurrency, 30));
        for (int i = 0; i < m_tab->cardCount(); ++i) {
            const auto* view = m_tab->card(i).findChild<PlotView*>();
            const bool visible = std::ranges::find(shown, &m_tab->card(i)) != shown.end();
            if (view != nullptr && !visible) {
                QCOMPARE(view->redraws(), before[static_cast<std::size_t>(i)]);
            }
        }
        QVERIFY(cardTitled(*m_tab, QStringLiteral("Where does"))->plot().redraws() > before[0]);
    }

    void aChipBringsItsCard()
    {
        m_tab->resize(948, 570);
        QToolButton* chip = nullptr;
        for (QToolButton* button : m_tab->findChildren<QToolButton*>()) {
            if (button->text() == QStringLiteral("Batching")) {
                chip = button;
            }
        }
        QVERIFY(chip != nullptr && !chip->isChecked());
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(chip->isChecked());
        QCOMPARE(m_tab->shownCards().size(), std::size_t{4});
        const ChartCard* card = cardTitled(*m_tab, QStringLiteral("What does a static batch"));
        QVERIFY(card != nullptr && card->isVisible());
    }

    void carryingThePointChangesTheScenarioOnce()
    {
        PlotView& view = cardTitled(*m_tab, QStringLiteral("How many sequences fit"))->plot();
        QWidget* surface = view.findChild<QWidget*>();
        const QPoint from = view.pixelOf({8192, 24}).toPoint();
        QTest::mousePress(surface, Qt::LeftButton, {}, from);
        for (int step = 1; step <= 5; ++step) {
            QTest::mouseMove(surface, from + QPoint(6 * step, -4 * step));
        }
        QTest::mouseRelease(surface, Qt::LeftButton, {}, from + QPoint(30, -20));
        QVERIFY(m_editor->scenario().contextTokens > 8192);
        QVERIFY(m_editor->scenario().concurrency > 24);
        QCOMPARE(view.data().point->at.y(), static_cast<double>(m_editor->scenario().concurrency));
        m_editor->history().undo();
        QCOMPARE(m_editor->scenario().contextTokens, 8192);
        QCOMPARE(m_editor->scenario().concurrency, 24);
    }

    void littlesPointKeepsTheLaw()
    {
        m_tab->resize(2228, 1160);
        PlotView& view = cardTitled(*m_tab, QStringLiteral("Which load"))->plot();
        const QPointF before = view.data().point->at;
        emit view.pointMoved(QPointF(before.x(), before.y() * 2));
        emit view.pointReleased();
        QCOMPARE(m_editor->scenario().concurrency, 48);
        const QPointF after = view.data().point->at;
        QVERIFY(std::abs(after.x() * after.y() - 48) < 1e-9);
        QVERIFY(std::abs(after.y() / before.y() - 2) < 1e-9);
    }

    void aFactorLeadsToItsControl()
    {
        QSignalSpy followed(m_tab.get(), &PlanTab::factorActivated);
        auto* view = m_tab->findChild<DerivationView*>();
        QVERIFY(view->html().contains(QStringLiteral("131,072 B")));
        QCOMPARE(view->links().front(), QStringLiteral("layers"));
        QTest::keyClick(view, Qt::Key_Right);
        QTest::keyClick(view, Qt::Key_Right);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(followed.size(), 1);
        QCOMPARE(followed.front().front().value<Field>(), Field::KvHeads);
        QTest::keyClick(view, Qt::Key_Left);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(followed.last().front().value<Field>(), Field::Layers);
        emit view->linkActivated(QStringLiteral("no such field"));
        QCOMPARE(followed.size(), 2);
    }

    void aClickFollowsALink()
    {
        QSignalSpy followed(m_tab.get(), &PlanTab::factorActivated);
        auto* view = m_tab->findChild<DerivationView*>();
        QVERIFY(view->isVisible());
        for (int y = 2; y < view->height() && followed.isEmpty(); y += 6) {
            QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, QPoint(5, y));
        }
        QCOMPARE(followed.size(), 1);
        QCOMPARE(followed.front().front().value<Field>(), Field::Layers);
    }

    void aRefusedScenarioDimsTheOldPicture()
    {
        Scenario broken;
        broken.queryHeads = 32;
        broken.kvHeads = 7;
        m_editor->replace(broken, QStringLiteral("broken"));
        QVERIFY(!m_editor->plan());
        for (const ChartCard* card : m_tab->shownCards()) {
            QVERIFY(card->isStale());
        }
        m_editor->history().undo();
        for (const ChartCard* card : m_tab->shownCards()) {
            QVERIFY(!card->isStale());
        }
    }

private:
    std::unique_ptr<ScenarioEditor> m_editor;
    std::unique_ptr<PlanTab> m_tab;
};

QTEST_MAIN(TestPlanTab)
#include "tst_plan_tab.moc"

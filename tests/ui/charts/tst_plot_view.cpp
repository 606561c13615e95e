// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_view.h"
#include "ui/charts/presenters.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>

#include <set>

using namespace kvplan;

namespace {

PlotData example(std::int64_t concurrency = 24)
{
    Scenario scenario;
    scenario.concurrency = concurrency;
    return contextCurves(scenario, *plan(scenario));
}

QImage pictureOf(PlotView& view)
{
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
    return view.grab().toImage();
}

std::size_t coloursIn(const QImage& image)
{
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); y += 2) {
        for (int x = 0; x < image.width(); x += 2) {
            colours.insert(image.pixel(x, y));
        }
    }
    return colours.size();
}

} // namespace

class TestPlotView : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { loadTypeface(); }

    void init()
    {
        m_view = std::make_unique<PlotView>();
        m_view->resize(420, 280);
        m_view->setTheme(Theme{});
        m_view->show(example());
        m_view->QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }
    void cleanup() { m_view.reset(); }

    void aPictureIsNotBlankAndHasItsSize()
    {
        const QImage image = pictureOf(*m_view);
        QCOMPARE(image.size(), QSize(420, 280));
        QVERIFY(coloursIn(image) > 20);
    }

    void theThemeChangesThePicture()
    {
        const QImage light = pictureOf(*m_view);
        m_view->setTheme(Theme{true});
        const QImage dark = pictureOf(*m_view);
        QVERIFY(light != dark);
        QCOMPARE(QColor(light.pixel(1, 1)), Theme{false}.color(Role::Card));
        QCOMPARE(QColor(dark.pixel(1, 1)), Theme{true}.color(Role::Card));
        m_view->setTheme(Theme{});
        QCOMPARE(pictureOf(*m_view), light);
    }

    void dataChangeThePicture()
    {
        const QImage before = pictureOf(*m_view);
        m_view->show(example(48));
        QVERIFY(pictureOf(*m_view) != before);
    }

    void theSameDataAreNotDrawnAgain()
    {
        const int before = m_view->redraws();
        m_view->show(example());
        QCOMPARE(m_view->redraws(), before);
        m_view->show(example(25));
        QCOMPARE(m_view->redraws(), before + 1);
    }

    void thePointIsDrawnInItsOwnColour()
    {
        const QImage image = pictureOf(*m_view);
        const QPoint at = m_view->pixelOf({8192, 24}).toPoint();
        QCOMPARE(QColor(image.pixel(at)), Theme{}.color(Role::Point));
    }

    void draggingCarriesThePoint()
    {
        QSignalSpy moved(m_view.get(), &PlotView::pointMoved);
        QSignalSpy released(m_view.get(), &PlotView::pointReleased);
        QWidget* surface = m_view->findChild<QWidget*>();
        const QPoint from = m_view->pixelOf({8192, 24}).toPoint();
        const QPoint to = m_view->pixelOf({16384, 10}).toPoint();
        QTest::mousePress(surface, Qt::LeftButton, {}, from);
        QTest::mouseMove(surface, to);
        QTest::mouseRelease(surface, Qt::LeftButton, {}, to);
        QVERIFY(!moved.isEmpty());
        const QPointF at = moved.last().front().toPointF();
        QVERIFY2(std::abs(at.x() / 16384 - 1) < 0.03, qPrintable(QString::number(at.x())));
        QVERIFY2(std::abs(at.y() / 10 - 1) < 0.05, qPrintable(QString::number(at.y())));
        QCOMPARE(released.size(), 1);
    }

    void draggingElsewhereDoesNothing()
    {
        QSignalSpy moved(m_view.get(), &PlotView::pointMoved);
        QWidget* surface = m_view->findChild<QWidget*>();
        const QPoint away = m_view->pixelOf({65536, 400}).toPoint();
        QTest::mousePress(surface, Qt::LeftButton, {}, away);
        QTest::mouseMove(surface, away + QPoint(40, 40));
        QTest::mouseRelease(surface, Qt::LeftButton, {}, away + QPoint(40, 40));
        QVERIFY(moved.isEmpty());
    }

    void aDragStaysInsideTheAxes()
    {
        QSignalSpy moved(m_view.get(), &PlotView::pointMoved);
        QWidget* surface = m_view->findChild<QWidget*>();
        QTest::mousePress(surface, Qt::LeftButton, {}, m_view->pixelOf({8192, 24}).toPoint());
        QTest::mouseMove(surface, QPoint(-500, 5000));
        QTest::mouseRelease(surface, Qt::LeftButton, {}, QPoint(-500, 5000));
        const QPointF at = moved.last().front().toPointF();
        QVERIFY(at.x() >= m_view->data().x.low && at.y() >= m_view->data().y.low);
    }

    void keysMoveThePoint_data()
    {
        QTest::addColumn<int>("key");
        QTest::addColumn<QPointF>("at");
        QTest::newRow("left halves the context") << int(Qt::Key_Left) << QPointF(4096, 24);
        QTest::newRow("right doubles it") << int(Qt::Key_Right) << QPointF(16384, 24);
        QTest::newRow("up adds sequences") << int(Qt::Key_Up) << QPointF(8192, 27);
        QTest::newRow("down takes some away") << int(Qt::Key_Down) << QPointF(8192, 21);
    }
    void keysMoveThePoint()
    {
        QFETCH(int, key);
        QFETCH(QPointF, at);
        QSignalSpy moved(m_view.get(), &PlotView::pointMoved);
        QTest::keyClick(m_view.get(), static_cast<Qt::Key>(key));
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved.front().front().toPointF(), at);
    }

    void aMessageStandsInPlaceOfAPlot()
    {
        PlotData data;
        data.message = QStringLiteral("there is nothing to draw");
        m_view->show(data);
        QCOMPARE(m_view->labels().size(), std::size_t{1});
        QCOMPARE(m_view->labels().front().text, data.message);
        m_view->show(example());
        QVERIFY(m_view->labels().size() > 10);
    }

    void badValuesAreLeftOut()
    {
        PlotData data = example();
        data.series.front().points.insert(data.series.front().points.begin() + 1,
            {QPointF(2000, std::nan("")), QPointF(3000, std::numeric_limits<double>::infinity())});
        m_view->show(data);
        QVERIFY(coloursIn(pictureOf(*m_view)) > 20);
    }

    void aScreenReaderHearsTheAnswer()
    {
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(m_view.get());
        QVERIFY(face != nullptr);
        QCOMPARE(face->text(QAccessible::Name), example().title);
        QVERIFY(face->text(QAccessible::Description).contains(QStringLiteral("54")));
        QCOMPARE(m_view->focusPolicy(), Qt::StrongFocus);
    }

private:
    std::unique_ptr<PlotView> m_view;
};

QTEST_MAIN(TestPlotView)
#include "tst_plot_view.moc"

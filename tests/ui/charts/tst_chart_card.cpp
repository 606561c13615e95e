// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_card.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/presenters.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QImage>
#include <QMenu>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace kvplan;

namespace {

QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestChartCard : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { loadTypeface(); }

    void init()
    {
        const Scenario scenario;
        const Plan planned = *plan(scenario);
        m_card = std::make_unique<ChartCard>();
        m_card->resize(480, 320);
        m_card->setTheme(Theme{});
        m_card->setFacts(factsLine(scenario, planned));
        m_card->ChartCard::show(memoryWaterfall(scenario, planned));
        m_card->QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(m_card.get()));
    }
    void cleanup() { m_card.reset(); }

    void pngHasTheAskedPixels_data()
    {
        QTest::addColumn<double>("scale");
        for (const double scale : {1.0, 2.0, 4.0}) {
            QTest::addRow("%g", scale) << scale;
        }
    }
    void pngHasTheAskedPixels()
    {
        QFETCH(double, scale);
        const QString path = m_folder.filePath(QStringLiteral("chart.png"));
        QVERIFY(m_card->exportPicture(path, QSize(600, 400), scale));
        const QImage image(path);
        QCOMPARE(image.size(), (QSizeF(600, 400) * scale).toSize());
        QCOMPARE(QColor(image.pixel(2, 2)), Theme{}.color(Role::Card));
    }

    void svgKeepsItsWordsAlive()
    {
        const QString path = m_folder.filePath(QStringLiteral("chart.svg"));
        QVERIFY(m_card->exportPicture(path, QSize(600, 400)));
        const QString svg = QString::fromUtf8(read(path));
        for (const char* words :
            {"Where does the memory go?", "80.0", "live 24.0", "pool", "24 sequences of 8,192 tokens"}) {
            QVERIFY2(svg.contains(QString::fromUtf8(words)), words);
        }
        QVERIFY(svg.count(QStringLiteral("<text")) > 12);
        QVERIFY(!svg.contains(QStringLiteral("<image")));
        QVERIFY(QSvgRenderer(path).isValid());
    }

    void pdfIsWritten()
    {
        const QString path = m_folder.filePath(QStringLiteral("chart.pdf"));
        QVERIFY(m_card->exportPicture(path, QSize(600, 400)));
        QVERIFY(read(path).startsWith("%PDF-"));
    }

    void exportLeavesTheCardAsItWas()
    {
        QCoreApplication::processEvents();
        const QImage before = m_card->grab().toImage();
        QVERIFY(m_card->exportPicture(m_folder.filePath(QStringLiteral("other.png")), QSize(900, 700)));
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
        QCOMPARE(m_card->grab().toImage(), before);
    }

    void whatCannotBeWrittenIsSaid()
    {
        const auto missing = m_card->exportPicture(QStringLiteral("/nowhere/at/all/chart.png"));
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, ErrorCode::Unwritable);
        QVERIFY(!missing.error().mend.empty());
        const auto unknown = m_card->exportPicture(m_folder.filePath(QStringLiteral("chart.bmp")));
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().code, ErrorCode::Unsupported);
    }

    void theMenuCopiesAndExports()
    {
        const auto* more = m_card->findChild<QToolButton*>();
        QVERIFY(more != nullptr && more->menu() != nullptr);
        QCOMPARE(more->menu()->actions().size(), 6); // three exports, a line, two copies
        QVERIFY(!more->accessibleName().isEmpty());
        m_card->copyData();
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("live 24.0,0,24")));
        m_card->copyPicture();
        QVERIFY(!QApplication::clipboard()->image().isNull());
    }

    void longWordsAreNoticed()
    {
        QVERIFY(!m_card->cutsWords());
        m_card->setHead(QStringLiteral("W").repeated(200), QStringLiteral("GiB"));
        QVERIFY(m_card->cutsWords());
    }

    void anOldPictureIsDimmed()
    {
        const QImage before = m_card->grab().toImage();
        m_card->setStale(true);
        QVERIFY(m_card->isStale());
        QVERIFY(m_card->grab().toImage() != before);
        m_card->setStale(false);
        QCOMPARE(m_card->grab().toImage(), before);
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<ChartCard> m_card;
};

QTEST_MAIN(TestChartCard)
#include "tst_chart_card.moc"

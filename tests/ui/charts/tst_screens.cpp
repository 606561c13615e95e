// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/two_screens.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/presenters.h"

#include <QGuiApplication>
#include <QScreen>
#include <QTest>
#include <QWindow>

using namespace kvplan;

class TestScreens : public QObject {
    Q_OBJECT

private slots:
    void aPlotFollowsItsScreensPixels()
    {
        loadTypeface();
        const auto screens = QGuiApplication::screens();
        QCOMPARE(screens.size(), 2);
        QCOMPARE(screens[0]->devicePixelRatio(), 1.0);
        QCOMPARE(screens[1]->devicePixelRatio(), 2.0);
        PlotView view;
        view.resize(400, 300);
        view.setTheme(Theme{});
        const Scenario scenario;
        view.show(memoryWaterfall(scenario, *plan(scenario)));
        view.QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QCOMPARE(view.bufferRatio(), 1.0);
        view.windowHandle()->setScreen(screens[1]);
        QTRY_COMPARE(view.bufferRatio(), 2.0);
        QTRY_COMPARE(view.grab().size(), QSize(800, 600));
        view.windowHandle()->setScreen(screens[0]);
        QTRY_COMPARE(view.bufferRatio(), 1.0);
    }
};

int main(int argc, char** argv)
{
    const TwoScreens screens;
    QApplication app(argc, argv);
    TestScreens test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_screens.moc"

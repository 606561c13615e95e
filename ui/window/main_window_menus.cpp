// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/charts/chart_card.h"
#include "ui/editor/recent_files.h"
#include "ui/editor/scenario_editor.h"
#include "ui/measure/measure_tab.h"
#include "ui/panel/scenario_panel.h"
#include "ui/plan/plan_tab.h"
#include "ui/window/render.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QUndoStack>

namespace kvplan {

void MainWindow::buildMenus()
{
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildHelpMenu();
    m_documentName = new QLabel(menuBar());
    m_documentName->setForegroundRole(QPalette::PlaceholderText);
    m_documentName->setContentsMargins(0, 0, 16, 0);
}

void MainWindow::buildFileMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    menu->addAction(tr("&New"), QKeySequence::New, this, &MainWindow::newScenario);
    menu->addAction(tr("&Open…"), QKeySequence::Open, this, [this] {
        openDialog(tr("Open a scenario, a measurement or a model"), tr("All kinds (*.kvplan *.json);;All files (*)"));
    });
    m_recentMenu = menu->addMenu(tr("Open &recent"));
    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::refreshRecent);
    menu->addAction(tr("Open &model config.json…"), this,
        [this] { openDialog(tr("Open a model"), tr("Model (config.json params.json *.json);;All files (*)")); });
    menu->addSeparator();
    menu->addAction(tr("&Save"), QKeySequence::Save, this, &MainWindow::save);
    menu->addAction(tr("Save &as…"), QKeySequence::SaveAs, this, &MainWindow::saveDialog);
    menu->addSeparator();
    menu->addAction(tr("Open m&easurement…"), this,
        [this] { openDialog(tr("Open a measurement"), tr("Measurement (*.json);;All files (*)")); });
    QAction* saveMeasurement = menu->addAction(tr("Save measuremen&t…"), this, &MainWindow::saveMeasurementDialog);
    connect(menu, &QMenu::aboutToShow, this,
        [this, saveMeasurement] { saveMeasurement->setEnabled(m_measure->measurement().has_value()); });
    menu->addSeparator();
    QMenu* charts = menu->addMenu(tr("Export &chart"));
    connect(charts, &QMenu::aboutToShow, this, [this, charts] { listCharts(*charts); });
    menu->addAction(tr("E&xport picture…"), QKeySequence(Qt::CTRL | Qt::Key_E), this, &MainWindow::exportView);
    menu->addSeparator();
    menu->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::listCharts(QMenu& menu)
{
    menu.clear();
    for (ChartCard* card : m_plan->shownCards()) {
        menu.addAction(card->title() + QStringLiteral(" …"), this, [this, card] {
            setTab(PlanPage);
            exportChart(*card);
        });
    }
}

void MainWindow::refreshRecent()
{
    m_recentMenu->clear();
    int number = 1;
    for (const QString& path : m_recent->paths()) {
        QAction* action
            = m_recentMenu->addAction(QStringLiteral("&%1  %2").arg(number++).arg(QFileInfo(path).fileName()), this,
                [this, path] { openFile(path); });
        action->setToolTip(path);
        action->setEnabled(QFileInfo::exists(path));
    }
    if (m_recent->paths().isEmpty()) {
        m_recentMenu->addAction(tr("Nothing yet"))->setEnabled(false);
        return;
    }
    m_recentMenu->addSeparator();
    m_recentMenu->addAction(tr("&Clear"), this, [this] { m_recent->clear(); });
}

void MainWindow::buildEditMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = m_editor->history().createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = m_editor->history().createRedoAction(this, tr("&Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    menu->addAction(undo);
    menu->addAction(redo);
    menu->addSeparator();
    menu->addAction(tr("&Copy picture"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this,
        [this] { QApplication::clipboard()->setPixmap(centralWidget()->grab()); });
    menu->addAction(tr("Back to the &worked example"), this,
        [this] { m_editor->replace(Scenario{}, tr("return to the worked example")); });
}

void MainWindow::buildViewMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    menu->addAction(tr("&Plan"), QKeySequence(Qt::CTRL | Qt::Key_1), this, [this] { setTab(PlanPage); });
    menu->addAction(tr("&Measure"), QKeySequence(Qt::CTRL | Qt::Key_2), this, [this] { setTab(MeasurePage); });
    menu->addSeparator();

    QMenu* themes = menu->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(this);
    const auto addTheme = [&](const QString& text, ThemeChoice choice) {
        QAction* action = themes->addAction(text, this, [this, choice] { setThemeChoice(choice); });
        action->setCheckable(true);
        action->setChecked(choice == m_choice);
        group->addAction(action);
    };
    addTheme(tr("&System"), ThemeChoice::System);
    addTheme(tr("&Light"), ThemeChoice::Light);
    addTheme(tr("&Dark"), ThemeChoice::Dark);

    QAction* panel = menu->addAction(
        tr("Scenario &panel"), QKeySequence(Qt::Key_F9), this, [this](bool shown) { m_panel->setVisible(shown); });
    panel->setCheckable(true);
    panel->setChecked(true);
    menu->addAction(tr("&Full screen"), QKeySequence(Qt::Key_F11), this,
        [this] { isFullScreen() ? showNormal() : showFullScreen(); });
}

void MainWindow::buildHelpMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    menu->addAction(tr("&Keys and hands"), QKeySequence::HelpContents, this, [this] {
        QMessageBox::information(this, tr("Keys and hands"),
            tr("<p>On a slider: arrows go to the next value, Page keys to the next stop, Home and End to the ends; a "
               "double click or Backspace gives the default back.</p>"
               "<p>In a box: Enter takes what is typed, Escape gives the old value back, up and down step. "
               "32k means 32,768.</p>"
               "<p>Dropping a config.json, a scenario or a measurement on the window opens it.</p>"
               "<p>Ctrl+1 and Ctrl+2 change the view, F9 hides the panel, F11 fills the screen.</p>"));
    });
    menu->addAction(tr("&About kvplan"), this, &MainWindow::about);
}

void MainWindow::about()
{
    QMessageBox::about(this, tr("About kvplan"),
        tr("<p><b>kvplan %1</b></p><p>Plans the KV cache of LLM serving, and measures it on the machine at hand.</p>"
           "<p>Licence: GPL-3.0-or-later. Charts by QCustomPlot.</p>")
            .arg(QCoreApplication::applicationVersion()));
}

} // namespace kvplan

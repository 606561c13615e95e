// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/window/appearance.h"

#include <QMainWindow>
#include <QSettings>

#include <functional>
#include <memory>
#include <optional>

class QLabel;
class QStackedWidget;
class QTabBar;

namespace kvplan {

class Autosave;
class ChartCard;
class MeasureTab;
class MessageBar;
class PlanTab;
class RecentFiles;
class ScenarioEditor;
class ScenarioPanel;
class StatusLine;
class VerdictBand;
struct Error;

/// The window: the scenario on the left, its answer above, its pictures in two tabs.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// A window that someone works in keeps settings and an autosave; one that is only drawn leaves nothing behind.
    enum class Use { Work, Picture };
    enum Tab { PlanPage, MeasurePage };

    explicit MainWindow(Use use = Use::Work, QWidget* parent = nullptr);
    ~MainWindow() override;

    ScenarioEditor& editor() const { return *m_editor; }
    MeasureTab& measureTab() const { return *m_measure; }
    VerdictBand& verdictBand() const { return *m_band; }
    MessageBar& messages() const { return *m_messages; }
    StatusLine& statusLine() const { return *m_status; }

    /// Opens a scenario, a measurement or a model's config.json, whichever the file is. What cannot be read is said in
    /// the message bar and changes nothing; false then.
    bool openFile(const QString& path);
    bool save();
    bool saveAs(const QString& path);
    QString path() const { return m_path; }

    void setTab(Tab tab);
    void setThemeChoice(ThemeChoice choice);
    const Theme& theme() const { return m_theme; }

    enum class Answer { Save, Discard, Cancel };
    /// Who is asked about unsaved work before it would be lost; a dialogue unless replaced.
    void setAsk(std::function<Answer()> ask) { m_ask = std::move(ask); }

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void buildCentre();
    void buildMenus();
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void buildHelpMenu();
    void connectParts();

    void scenarioChanged();
    void refreshAnswer();
    void refreshTitle();
    void refreshRecent();

    bool mayLose();
    void newScenario();
    void openDialog(const QString& title, const QString& filter);
    bool openScenario(const QString& path);
    bool openModel(const QString& path);
    bool openMeasurement(const QString& path);
    bool saveDialog();
    void saveMeasurementDialog();
    void exportView();
    void listCharts(QMenu& menu);
    void exportChart(ChartCard& card);
    void offerLeftover();
    void applyTheme();
    void tell(const Error& error, const QString& topic);
    void about();

    Use m_use;
    Theme m_theme;
    ThemeChoice m_choice = ThemeChoice::System;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<RecentFiles> m_recent;
    ScenarioEditor* m_editor;
    Autosave* m_autosave = nullptr;
    QString m_path;
    std::function<Answer()> m_ask;
    bool m_offered = false;

    ScenarioPanel* m_panel = nullptr;
    VerdictBand* m_band = nullptr;
    MessageBar* m_messages = nullptr;
    QTabBar* m_tabs = nullptr;
    QStackedWidget* m_pages = nullptr;
    PlanTab* m_plan = nullptr;
    MeasureTab* m_measure = nullptr;
    QMenu* m_recentMenu = nullptr;
    QLabel* m_documentName = nullptr;
    StatusLine* m_status = nullptr;
};

} // namespace kvplan

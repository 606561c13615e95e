// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/editor/autosave.h"
#include "ui/editor/recent_files.h"
#include "ui/editor/scenario_editor.h"
#include "ui/measure/measure_tab.h"
#include "ui/panel/scenario_panel.h"
#include "ui/plan/plan_tab.h"
#include "ui/window/message_bar.h"
#include "ui/window/status_line.h"
#include "ui/window/verdict_band.h"
#include "ui/words/sentences.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPainter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>

namespace kvplan {

namespace {

constexpr int outerMargin = 16;
const auto planTopic = QStringLiteral("plan");
const auto editTopic = QStringLiteral("edit");

/// A line one pixel wide in the edge's colour.
class EdgeLine : public QWidget {
public:
    explicit EdgeLine(QWidget* parent)
        : QWidget(parent)
    {
        setFixedWidth(1);
        setAutoFillBackground(true);
    }

    void setTheme(const Theme& theme)
    {
        QPalette colours = palette();
        colours.setColor(QPalette::Window, theme.color(Role::Edge));
        setPalette(colours);
    }
};

QString localFile(const QMimeData& data)
{
    for (const QUrl& url : data.urls()) {
        if (url.isLocalFile()) {
            return url.toLocalFile();
        }
    }
    return {};
}

QString planOrigin(const Scenario& scenario, const Plan& plan)
{
    QStringList parts{MainWindow::tr("Estimate"),
        scenario.engine == Engine::Simple
            ? MainWindow::tr("simple budget")
            : MainWindow::tr("%1 %2 rules")
                  .arg(QString::fromStdString(plan.engineName), QString::fromStdString(plan.engineVersion)),
        MainWindow::tr("no calibration")};
    if (scenario.model && !scenario.model->source.empty()) {
        parts << QString::fromStdString(scenario.model->source);
    }
    if (scenario.accelerator && !scenario.capacityGib) {
        parts << QStringLiteral("%1: %2").arg(QString::fromStdString(scenario.accelerator->name),
            QString::fromStdString(scenario.accelerator->capacitySource));
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace

MainWindow::MainWindow(Use use, QWidget* parent)
    : QMainWindow(parent)
    , m_use(use)
    , m_settings(std::make_unique<QSettings>(
          QSettings::IniFormat, QSettings::UserScope, QStringLiteral("kvplan"), QStringLiteral("kvplan")))
    , m_recent(std::make_unique<RecentFiles>(*m_settings))
    , m_editor(new ScenarioEditor(this))
{
    if (use == Use::Work) {
        m_choice = static_cast<ThemeChoice>(
            std::clamp(m_settings->value(QStringLiteral("theme"), 0).toInt(), 0, static_cast<int>(ThemeChoice::Dark)));
        m_autosave = new Autosave(*m_editor,
            QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/kvplan"), this);
    }
    m_theme = themeFor(m_choice);
    applyAppearance(m_theme);
    setWindowIcon(QIcon(QStringLiteral(":/kvplan/kvplan.svg")));
    setAcceptDrops(true);

    buildCentre();
    if (use == Use::Work) {
        buildMenus();
    }
    connectParts();
    applyTheme();
    refreshTitle();
    resize(1440, 900);
    if (use == Use::Work) {
        restoreGeometry(m_settings->value(QStringLiteral("geometry")).toByteArray());
    }
}

MainWindow::~MainWindow()
{
    // The parts hear nothing of the editor's end.
    m_editor->disconnect();
}

void MainWindow::buildCentre()
{
    auto* canvas = new QWidget(this);
    canvas->setAutoFillBackground(true);
    m_panel = new ScenarioPanel(*m_editor, canvas);
    auto* edge = new EdgeLine(canvas);
    edge->setObjectName(QStringLiteral("panelEdge"));
    m_band = new VerdictBand(canvas);
    m_messages = new MessageBar(canvas);
    m_tabs = new QTabBar(canvas);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab(tr("Plan"));
    m_tabs->addTab(tr("Measure"));
    m_tabs->setAccessibleName(tr("Views"));
    m_pages = new QStackedWidget(canvas);
    m_plan = new PlanTab(*m_editor, m_pages);
    m_measure = new MeasureTab(*m_editor, m_pages);
    m_pages->addWidget(m_plan);
    m_pages->addWidget(m_measure);
    m_status = new StatusLine(canvas);

    auto* centre = new QVBoxLayout;
    centre->setContentsMargins(outerMargin, outerMargin - 4, outerMargin, outerMargin - 4);
    centre->setSpacing(8);
    centre->addWidget(m_band);
    centre->addWidget(m_messages);
    centre->addWidget(m_tabs);
    centre->addWidget(m_pages, 1);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(m_panel);
    middle->addWidget(edge);
    middle->addLayout(centre, 1);
    auto* whole = new QVBoxLayout(canvas);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addLayout(middle, 1);
    whole->addWidget(m_status);
    setCentralWidget(canvas);
}

void MainWindow::connectParts()
{
    connect(m_editor, &ScenarioEditor::changed, this, &MainWindow::scenarioChanged);
    connect(m_editor, &ScenarioEditor::modifiedChanged, this, &MainWindow::refreshTitle);
    connect(m_editor, &ScenarioEditor::refused, this, [this](const Error& error) { tell(error, editTopic); });
    connect(m_panel, &ScenarioPanel::failed, this, [this](const Error& error) { tell(error, editTopic); });
    connect(m_panel, &ScenarioPanel::openModelRequested, this,
        [this] { openDialog(tr("Open a model"), tr("Model (config.json params.json *.json);;All files (*)")); });
    connect(m_plan, &PlanTab::failed, this, [this](const Error& error) { tell(error, editTopic); });
    connect(m_plan, &PlanTab::factorActivated, m_panel, &ScenarioPanel::reveal);
    connect(m_measure, &MeasureTab::answered, this, &MainWindow::refreshAnswer);
    connect(m_measure, &MeasureTab::openRequested, this,
        [this] { openDialog(tr("Open a measurement"), tr("Measurement (*.json);;All files (*)")); });
    connect(m_measure, &MeasureTab::saveRequested, this, &MainWindow::saveMeasurementDialog);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int page) {
        m_pages->setCurrentIndex(page);
        refreshAnswer();
    });
}

void MainWindow::setTab(Tab tab)
{
    m_tabs->setCurrentIndex(tab);
}

void MainWindow::setThemeChoice(ThemeChoice choice)
{
    m_choice = choice;
    if (m_use == Use::Work) {
        m_settings->setValue(QStringLiteral("theme"), static_cast<int>(choice));
    }
    m_theme = themeFor(choice);
    applyAppearance(m_theme);
    applyTheme();
}

void MainWindow::applyTheme()
{
    centralWidget()->setPalette(m_theme.palette()); // the application's own reaches widgets only once it runs
    static_cast<EdgeLine*>(findChild<QWidget*>(QStringLiteral("panelEdge")))->setTheme(m_theme);
    m_band->setTheme(m_theme);
    m_messages->setTheme(m_theme);
    m_plan->setTheme(m_theme);
    m_measure->setTheme(m_theme);
    m_status->setTheme(m_theme);
    refreshAnswer();
}

void MainWindow::scenarioChanged()
{
    m_messages->clear(editTopic);
    refreshAnswer();
}

void MainWindow::refreshAnswer()
{
    const Result<Plan>& plan = m_editor->plan();
    if (m_tabs->currentIndex() == MeasurePage) {
        m_band->display(m_measure->verdict());
        m_status->display(m_measure->status(), {});
        return;
    }
    m_band->display(planVerdict(m_editor->lastGoodPlan(), plan ? std::nullopt : std::optional(plan.error())));
    const double microseconds = static_cast<double>(m_editor->planTime().count()) / 1e3;
    m_status->display(planOrigin(m_editor->scenario(), m_editor->lastGoodPlan()),
        tr("recomputed in %1 µs").arg(QLocale::c().toString(microseconds, 'f', microseconds < 10 ? 1 : 0)));
}

void MainWindow::refreshTitle()
{
    const QString name = m_path.isEmpty() ? tr("Untitled") : QFileInfo(m_path).fileName();
    setWindowTitle(QStringLiteral("%1[*] – kvplan").arg(name));
    setWindowModified(m_editor->isModified());
    if (m_documentName != nullptr) {
        m_documentName->setText(m_editor->isModified() ? name + QStringLiteral(" •") : name);
        m_documentName->adjustSize();
        menuBar()->setCornerWidget(m_documentName);
    }
}

void MainWindow::tell(const Error& error, const QString& topic)
{
    m_messages->tell(MessageBar::Kind::Problem, topic, sentence(error));
}

bool MainWindow::mayLose()
{
    if (!m_editor->isModified()) {
        return true;
    }
    const Answer answer = m_ask ? m_ask() : [this] {
        QMessageBox box(QMessageBox::Question, tr("Unsaved changes"),
            tr("The scenario has changes that are not saved."),
            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
        switch (box.exec()) {
        case QMessageBox::Save:
            return Answer::Save;
        case QMessageBox::Discard:
            return Answer::Discard;
        default:
            return Answer::Cancel;
        }
    }();
    return answer == Answer::Discard || (answer == Answer::Save && save());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_use == Use::Picture) {
        return;
    }
    if (!mayLose()) {
        event->ignore();
        return;
    }
    m_measure->cancel();
    m_settings->setValue(QStringLiteral("geometry"), saveGeometry());
    m_autosave->discard();
    event->accept();
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    if (m_autosave != nullptr && !m_offered) {
        m_offered = true;
        QTimer::singleShot(0, this, &MainWindow::offerLeftover);
    }
}

void MainWindow::offerLeftover()
{
    std::optional<Leftover> leftover = m_autosave->takeLeftover();
    if (!leftover) {
        return;
    }
    const QString when = QLocale().toString(leftover->time, QLocale::ShortFormat);
    m_messages->tell(MessageBar::Kind::Note, QStringLiteral("autosave"),
        tr("Unsaved work of %1 is still here: kvplan did not end cleanly then.").arg(when),
        {{tr("Restore"),
            [this, document = leftover->document] { m_editor->replace(document.scenario, tr("restored work")); }}});
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!localFile(*event->mimeData()).isEmpty()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QString file = localFile(*event->mimeData());
    if (!file.isEmpty()) {
        event->acceptProposedAction();
        openFile(file);
    }
}

} // namespace kvplan

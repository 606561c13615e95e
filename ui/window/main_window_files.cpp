// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "core/model/read_architecture.h"
#include "ui/charts/chart_card.h"
#include "ui/editor/autosave.h"
#include "ui/editor/recent_files.h"
#include "ui/editor/scenario_editor.h"
#include "ui/measure/measure_tab.h"
#include "ui/window/file_kind.h"
#include "ui/window/message_bar.h"
#include "ui/window/render.h"
#include "ui/words/sentences.h"

#include <QFileDialog>
#include <QFileInfo>

namespace kvplan {

namespace {

const auto fileTopic = QStringLiteral("file");

} // namespace

bool MainWindow::openFile(const QString& path)
{
    m_messages->clear(fileTopic);
    switch (fileKind(path)) {
    case FileKind::Scenario:
        return openScenario(path);
    case FileKind::Measurement:
        return openMeasurement(path);
    case FileKind::Model:
        return openModel(path);
    }
    return false;
}

bool MainWindow::openScenario(const QString& path)
{
    auto document = loadScenario(path.toStdString());
    if (!document) {
        m_recent->remove(path);
        tell(document.error(), fileTopic);
        return false;
    }
    if (!mayLose()) {
        return false;
    }
    m_path = QFileInfo(path).absoluteFilePath();
    m_recent->add(m_path);
    m_editor->open(std::move(*document));
    refreshTitle();
    return true;
}

bool MainWindow::openModel(const QString& path)
{
    auto model = readArchitecture(path.toStdString());
    if (!model) {
        tell(model.error(), fileTopic);
        return false;
    }
    if (!model->warnings.empty()) {
        QStringList warnings;
        for (const std::string& warning : model->warnings) {
            warnings << QString::fromStdString(warning);
        }
        m_messages->tell(MessageBar::Kind::Note, fileTopic,
            tr("%1: %2.").arg(QFileInfo(path).fileName(), warnings.join(QStringLiteral("; "))));
    }
    m_editor->setModel(std::move(*model));
    setTab(PlanPage);
    return true;
}

bool MainWindow::openMeasurement(const QString& path)
{
    if (auto opened = m_measure->open(path.toStdString()); !opened) {
        tell(opened.error(), fileTopic);
        return false;
    }
    setTab(MeasurePage);
    return true;
}

void MainWindow::openDialog(const QString& title, const QString& filter)
{
    const QString path = QFileDialog::getOpenFileName(this, title, QFileInfo(m_path).absolutePath(), filter);
    if (!path.isEmpty()) {
        openFile(path);
    }
}

void MainWindow::newScenario()
{
    if (mayLose()) {
        m_path.clear();
        m_editor->open({});
        refreshTitle();
    }
}

bool MainWindow::save()
{
    return m_path.isEmpty() ? saveDialog() : saveAs(m_path);
}

bool MainWindow::saveDialog()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the scenario"),
        m_path.isEmpty() ? QStringLiteral("scenario.kvplan") : m_path, tr("Scenario (*.kvplan *.json)"));
    return !path.isEmpty() && saveAs(path);
}

bool MainWindow::saveAs(const QString& path)
{
    m_messages->clear(fileTopic);
    if (auto saved = saveScenario(path.toStdString(), m_editor->document()); !saved) {
        tell(saved.error(), fileTopic);
        return false;
    }
    m_path = QFileInfo(path).absoluteFilePath();
    m_recent->add(m_path);
    m_editor->setSaved();
    refreshTitle();
    return true;
}

void MainWindow::saveMeasurementDialog()
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the measurement"), QStringLiteral("measurement.json"), tr("Measurement (*.json)"));
    if (path.isEmpty()) {
        return;
    }
    if (auto saved = m_measure->save(path.toStdString()); !saved) {
        tell(saved.error(), fileTopic);
    }
}

void MainWindow::exportChart(ChartCard& card)
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export the chart"), QStringLiteral("chart.svg"), tr("Picture (*.svg *.png *.pdf)"));
    if (path.isEmpty()) {
        return;
    }
    if (auto written = card.exportPicture(path); !written) {
        tell(written.error(), fileTopic);
    }
}

void MainWindow::exportView()
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export the window as a picture"), QStringLiteral("kvplan.png"), tr("Picture (*.png *.svg *.pdf)"));
    if (path.isEmpty()) {
        return;
    }
    if (auto written = renderWidget(*centralWidget(), path); !written) {
        tell(written.error(), fileTopic);
    }
}

} // namespace kvplan

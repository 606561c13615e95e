// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/measurement.h"
#include "ui/theme/theme.h"
#include "ui/words/verdict.h"

#include <QWidget>

#include <filesystem>
#include <optional>

class QComboBox;
class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace kvplan {

class Card;
class FactTableBody;
class MeasureJob;
class ScenarioEditor;
class ShareBarsBody;
class StepTimesBody;

/// Real beside predicted: what will be allocated, the run, and what came of it.
class MeasureTab : public QWidget {
    Q_OBJECT

public:
    explicit MeasureTab(ScenarioEditor& editor, QWidget* parent = nullptr);
    ~MeasureTab() override;

    void setTheme(const Theme& theme);

    /// Begins a measurement of the scenario, or of `request`.
    void start();
    void start(const MeasureRequest& request);
    void cancel();
    bool isRunning() const;

    const std::optional<Measurement>& measurement() const { return m_measurement; }
    void display(const Measurement& measurement);

    Result<void> open(const std::filesystem::path& path);
    Result<void> save(const std::filesystem::path& path) const;

    Verdict verdict() const;
    /// "Measured · CPU · NAME · 2026-12-01", or what there is instead.
    QString status() const;

signals:
    /// verdict() or status() is another now.
    void answered();
    void saveRequested();
    void openRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void buildControls();
    void buildCards();
    void scenarioChanged();
    void findDevices();
    void preview();
    void showState();
    void finish(const Result<Measurement>& result);
    void layOut();
    std::optional<MeasureRequest> smallerSlice() const;

    ScenarioEditor& m_editor;
    MeasureJob* m_job;
    Theme m_theme;

    Result<MeasureRequest> m_request;
    Result<AllocationPreview> m_preview;
    std::optional<MeasureRequest> m_smaller;
    std::optional<Measurement> m_measurement;
    std::optional<Error> m_failure; ///< of the latest run
    QString m_device = QStringLiteral("cpu");
    bool m_previewed = false;
    bool m_stale = false;

    QWidget* m_controls;
    QComboBox* m_devices;
    QLabel* m_text;
    QProgressBar* m_progress;
    QPushButton* m_measure;
    QPushButton* m_slice;
    QPushButton* m_open;
    QPushButton* m_save;

    FactTableBody* m_memory;
    StepTimesBody* m_time;
    ShareBarsBody* m_bandwidth;
    FactTableBody* m_check;
    Card* m_memoryCard;
    Card* m_timeCard;
    Card* m_bandwidthCard;
    Card* m_checkCard;
};

} // namespace kvplan

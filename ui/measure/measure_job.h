// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/measurement.h"

#include <QFutureWatcher>
#include <QObject>
#include <QString>

#include <optional>
#include <stop_token>

namespace kvplan {

/// Runs measurements on another thread, one at a time; the latest request wins. All methods and signals belong to the
/// thread that made the job.
class MeasureJob : public QObject {
    Q_OBJECT

public:
    explicit MeasureJob(QObject* parent = nullptr);

    /// Asks a running measurement to stop and waits until it has given everything back.
    ~MeasureJob() override;

    /// Starts a measurement. One that runs is stopped first, and its result dropped.
    void start(const MeasureRequest& request);
    void cancel();
    bool isRunning() const { return m_running; }

    /// The answer to the latest request, which the Measurement carries; Cancelled where it was stopped.
    Result<Measurement> result() const { return m_watcher.result(); }

signals:
    void started();
    void progressed(double share, const QString& phase);
    /// result() is there.
    void finished();

private:
    void launch(const MeasureRequest& request);
    void takeResult();

    QFutureWatcher<Result<Measurement>> m_watcher;
    std::optional<MeasureRequest> m_next;
    std::stop_source m_stop;
    bool m_running = false;
};

} // namespace kvplan

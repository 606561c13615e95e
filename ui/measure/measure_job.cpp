// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/measure_job.h"

#include <QtConcurrent>

namespace kvplan {

MeasureJob::MeasureJob(QObject* parent)
    : QObject(parent)
{
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &MeasureJob::takeResult);
}

MeasureJob::~MeasureJob()
{
    m_stop.request_stop();
    m_watcher.disconnect(this);
    m_watcher.waitForFinished();
}

void MeasureJob::start(const MeasureRequest& request)
{
    if (m_running) {
        m_next = request;
        m_stop.request_stop();
        return;
    }
    launch(request);
}

void MeasureJob::cancel()
{
    m_next.reset();
    m_stop.request_stop();
}

void MeasureJob::launch(const MeasureRequest& request)
{
    m_running = true;
    m_stop = std::stop_source();
    const std::stop_token token = m_stop.get_token();
    // The destructor waits for the thread, so `this` outlives it; what is still queued then goes with the object.
    const auto progress = [this, token](double share, const std::string& phase) {
        if (!token.stop_requested()) {
            QMetaObject::invokeMethod(
                this, [this, share, phase] { emit progressed(share, QString::fromStdString(phase)); },
                Qt::QueuedConnection);
        }
    };
    m_watcher.setFuture(QtConcurrent::run([request, progress, token] { return measure(request, progress, token); }));
    emit started();
}

void MeasureJob::takeResult()
{
    m_running = false;
    if (m_next) {
        const MeasureRequest next = *std::exchange(m_next, std::nullopt);
        launch(next);
        return;
    }
    emit finished();
}

} // namespace kvplan

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario_file.h"

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QTimer>

#include <optional>

namespace kvplan {

class ScenarioEditor;

/// What an earlier run left behind when it did not end cleanly.
struct Leftover {
    ScenarioDocument document;
    QDateTime time;
};

/// Keeps a copy of unsaved work that survives a crash: written a moment after the last change, removed once there is
/// nothing unsaved and on a clean end. Each running window has a file of its own, so two never touch each other's.
class Autosave : public QObject {
    Q_OBJECT

public:
    /// `folder` is made when missing.
    Autosave(ScenarioEditor& editor, const QString& folder, QObject* parent = nullptr);
    ~Autosave() override;

    /// The newest leftover of a run that is no longer there, taken over: it is removed from disk once this run has
    /// written its own copy or ended cleanly.
    std::optional<Leftover> takeLeftover();

    /// Writes what is pending now.
    void flush();

    /// Nothing is kept: what was unsaved has been saved or given up.
    void discard();

    QString path() const { return m_path; }

private:
    void schedule();

    ScenarioEditor& m_editor;
    QString m_folder;
    QString m_path;
    QLockFile m_lock;
    QTimer m_timer;
    QString m_takenOver;
};

} // namespace kvplan

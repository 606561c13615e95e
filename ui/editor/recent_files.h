// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QSettings;

namespace kvplan {

/// The scenario files opened or saved last, newest first, kept in the user's settings.
class RecentFiles {
public:
    static constexpr int maximum = 8;

    explicit RecentFiles(QSettings& settings);

    QStringList paths() const { return m_paths; }
    void add(const QString& path);
    void remove(const QString& path);
    void clear();

private:
    void store();

    QSettings& m_settings;
    QStringList m_paths;
};

} // namespace kvplan

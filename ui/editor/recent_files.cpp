// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace kvplan {

namespace {

const auto key = QStringLiteral("recentFiles");

} // namespace

RecentFiles::RecentFiles(QSettings& settings)
    : m_settings(settings)
    , m_paths(settings.value(key).toStringList().mid(0, maximum))
{
}

void RecentFiles::add(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    m_paths.removeAll(absolute);
    m_paths.prepend(absolute);
    m_paths = m_paths.mid(0, maximum);
    store();
}

void RecentFiles::remove(const QString& path)
{
    m_paths.removeAll(QFileInfo(path).absoluteFilePath());
    store();
}

void RecentFiles::clear()
{
    m_paths.clear();
    store();
}

void RecentFiles::store()
{
    m_settings.setValue(key, m_paths);
}

} // namespace kvplan

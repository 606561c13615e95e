// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/autosave.h"

#include "ui/editor/scenario_editor.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QUuid>

namespace kvplan {

namespace {

constexpr int delayMs = 400;

QString newPath(const QString& folder)
{
    QDir().mkpath(folder);
    return QDir(folder).filePath(QStringLiteral("autosave-%1.json").arg(QUuid::createUuid().toString(QUuid::Id128)));
}

} // namespace

Autosave::Autosave(ScenarioEditor& editor, const QString& folder, QObject* parent)
    : QObject(parent)
    , m_editor(editor)
    , m_folder(folder)
    , m_path(newPath(folder))
    , m_lock(m_path + QStringLiteral(".lock"))
{
    m_lock.setStaleLockTime(0);
    m_lock.tryLock(0);
    m_timer.setSingleShot(true);
    m_timer.setInterval(delayMs);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::flush);
    connect(&editor, &ScenarioEditor::changed, this, &Autosave::schedule);
    connect(&editor, &ScenarioEditor::modifiedChanged, this, &Autosave::schedule);
}

Autosave::~Autosave()
{
    m_lock.unlock();
}

std::optional<Leftover> Autosave::takeLeftover()
{
    const QFileInfoList files
        = QDir(m_folder).entryInfoList({QStringLiteral("autosave-*.json")}, QDir::Files, QDir::Time);
    for (const QFileInfo& file : files) {
        if (file.filePath() == m_path) {
            continue;
        }
        QLockFile lock(file.filePath() + QStringLiteral(".lock"));
        lock.setStaleLockTime(0);
        if (!lock.tryLock(0)) {
            continue; // another window is at work on it
        }
        auto document = loadScenario(file.filePath().toStdString());
        if (!document) {
            QFile::remove(file.filePath());
            continue;
        }
        m_takenOver = file.filePath();
        return Leftover{std::move(*document), file.lastModified()};
    }
    return std::nullopt;
}

void Autosave::schedule()
{
    if (m_editor.isModified()) {
        m_timer.start();
    } else {
        m_timer.stop();
        QFile::remove(m_path);
    }
}

void Autosave::flush()
{
    m_timer.stop();
    if (!m_editor.isModified()) {
        return;
    }
    const std::string text = writeScenario(m_editor.document());
    QSaveFile file(m_path);
    if (!file.open(QIODevice::WriteOnly)) {
        return;
    }
    file.write(text.data(), static_cast<qint64>(text.size()));
    if (file.commit() && !m_takenOver.isEmpty()) {
        QFile::remove(m_takenOver);
        m_takenOver.clear();
    }
}

void Autosave::discard()
{
    m_timer.stop();
    QFile::remove(m_path);
    if (!m_takenOver.isEmpty()) {
        QFile::remove(m_takenOver);
        m_takenOver.clear();
    }
}

} // namespace kvplan

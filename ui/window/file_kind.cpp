// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_kind.h"

#include "core/text_file.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace kvplan {

FileKind fileKind(const QString& path)
{
    if (path.endsWith(QStringLiteral(".kvplan"), Qt::CaseInsensitive)) {
        return FileKind::Scenario;
    }
    const auto text = readTextFile(path.toStdString(), maximumTextFile, "a file");
    if (!text) {
        return FileKind::Model;
    }
    const QJsonObject object
        = QJsonDocument::fromJson(QByteArray::fromRawData(text->data(), static_cast<qsizetype>(text->size()))).object();
    if (object.value(QStringLiteral("schema")).toString() == QStringLiteral("kvplan-scenario")) {
        return FileKind::Scenario;
    }
    if (object.contains(QStringLiteral("decode")) && object.contains(QStringLiteral("device"))) {
        return FileKind::Measurement;
    }
    if (object.isEmpty() && text->find("kvplan-scenario") != std::string::npos) {
        return FileKind::Scenario; // a broken one: its reader names the line
    }
    return FileKind::Model;
}

} // namespace kvplan

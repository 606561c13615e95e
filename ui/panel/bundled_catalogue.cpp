// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/bundled_catalogue.h"

#include <QFile>

namespace kvplan {

namespace {

std::string resource(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace

const Result<Catalogue>& bundledCatalogue()
{
    static const Result<Catalogue> catalogue = Catalogue::parse(
        resource(QStringLiteral(":/kvplan/models.json")), resource(QStringLiteral(":/kvplan/accelerators.json")));
    return catalogue;
}

} // namespace kvplan

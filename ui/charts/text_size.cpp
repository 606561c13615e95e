// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/text_size.h"

#include <QFontMetricsF>
#include <QHash>

#include <cmath>

namespace kvplan {

namespace {

constexpr qsizetype mostRemembered = 4096;

} // namespace

QSizeF textSize(const QString& text, const QFont& font)
{
    thread_local QHash<QString, QSizeF> remembered;
    QString key(text.size() + 2, Qt::Uninitialized);
    key[0] = QChar(static_cast<char16_t>(font.pixelSize()));
    key[1] = QChar(static_cast<char16_t>(font.weight()));
    std::copy(text.begin(), text.end(), key.begin() + 2);
    if (const auto found = remembered.constFind(key); found != remembered.constEnd()) {
        return *found;
    }
    if (remembered.size() >= mostRemembered) {
        remembered.clear();
    }
    const QFontMetricsF metrics(font);
    const QSizeF size(std::ceil(metrics.horizontalAdvance(text)), std::ceil(metrics.height()));
    remembered.insert(key, size);
    return size;
}

} // namespace kvplan

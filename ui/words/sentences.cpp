// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/sentences.h"

namespace kvplan {

QString sentence(const Error& error)
{
    QString text = QString::fromStdString(error.sentence()).trimmed();
    if (text.isEmpty()) {
        return text;
    }
    // A file's or a flag's name keeps its spelling.
    const qsizetype wordEnd = text.indexOf(QLatin1Char(' '));
    const QString first = text.left(wordEnd);
    if (!first.contains(QLatin1Char('-')) && !first.contains(QLatin1Char('.')) && !first.contains(QLatin1Char('/'))
        && !first.contains(QLatin1Char('_'))) {
        text[0] = text[0].toUpper();
    }
    return text.endsWith(QLatin1Char('.')) ? text : text + QLatin1Char('.');
}

} // namespace kvplan

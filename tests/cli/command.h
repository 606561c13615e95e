// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>
#include <QStringList>

namespace kvplan::testing {

/// How a run of kvplan ended. `exitCode` is -1 when it crashed, was killed or did not end.
struct Ended {
    int exitCode = -1;
    QByteArray out;
    QByteArray error;
};

/// Path of the program under test.
QString binary();

/// Runs kvplan with these arguments, without a display.
Ended run(const QStringList& arguments);

/// The same through `sh -c`, for redirections and bytes that are not UTF-8; "$KVPLAN" stands for the program.
Ended shell(const QString& script);

/// The one JSON object of a run that must succeed; empty, with a failure noted, where it is not exactly that.
QJsonObject json(const QStringList& arguments);

/// The value at a path such as "budget.lines.0.name".
QJsonValue at(const QJsonObject& root, const QString& path);

/// Fails the test unless the run ended as every refusal must: exit 2, standard output empty, and one line
/// "kvplan: error: WHAT, WHERE; HOW TO MEND".
void verifyRefused(const Ended& ended);

} // namespace kvplan::testing

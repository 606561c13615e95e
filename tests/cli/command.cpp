// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/command.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTest>

namespace kvplan::testing {

namespace {

constexpr int patienceMs = 120000;

Ended start(const QString& program, const QStringList& arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
        environment.remove(name);
    }
    environment.insert("KVPLAN", binary());
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    process.closeWriteChannel();
    Ended ended;
    if (process.waitForFinished(patienceMs) && process.exitStatus() == QProcess::NormalExit) {
        ended.exitCode = process.exitCode();
    }
    ended.out = process.readAllStandardOutput();
    ended.error = process.readAllStandardError();
    return ended;
}

} // namespace

QString binary()
{
    return QStringLiteral(KVPLAN_BINARY);
}

Ended run(const QStringList& arguments)
{
    return start(binary(), arguments);
}

Ended shell(const QString& script)
{
    return start("/bin/sh", {"-c", script});
}

QJsonObject json(const QStringList& arguments)
{
    const Ended ended = run(arguments + QStringList{"--json"});
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(ended.out, &error);
    if (ended.exitCode != 0 || !document.isObject()) {
        QTest::qFail(
            qPrintable(QString("exit %1, %2: %3%4")
                           .arg(ended.exitCode)
                           .arg(error.errorString(), QString::fromUtf8(ended.error), QString::fromUtf8(ended.out))),
            __FILE__, __LINE__);
        return {};
    }
    return document.object();
}

QJsonValue at(const QJsonObject& root, const QString& path)
{
    QJsonValue value = root;
    for (const QString& part : path.split('.')) {
        bool index = false;
        const int position = part.toInt(&index);
        value = index ? value.toArray().at(position) : value.toObject().value(part);
    }
    return value;
}

void verifyRefused(const Ended& ended)
{
    static const QRegularExpression form("\\Akvplan: error: [^\\n]+, [^\\n]+; [^\\n]+\\n\\z");
    QVERIFY2(form.match(QString::fromUtf8(ended.error)).hasMatch(), ended.error.constData());
    QCOMPARE(ended.exitCode, 2);
    QCOMPARE(ended.out, QByteArray());
}

} // namespace kvplan::testing

// SPDX-License-Identifier: GPL-3.0-or-later
// Real servers' figures against the rules. KVPLAN_TABLE=FILE writes the comparison as a Markdown table.
#include "logged_rows.h"

#include <QFile>
#include <QTest>
#include <QTextStream>

#include <algorithm>
#include <set>

using namespace kvplan;
using namespace kvplan::testing;

namespace {

const char* word(const LoggedRow& row)
{
    switch (row.expect) {
    case Expect::Coarse:
        return "within, too coarse to tell";
    case Expect::Deviates:
        return "deviates";
    case Expect::Holds:
        break;
    }
    return "within";
}

/// Fields of one CSV record; quotes are doubled inside quotes. Records of the file do not span lines.
QStringList fieldsOf(const QString& record)
{
    QStringList fields{""};
    bool quoted = false;
    for (const QChar c : record) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            fields.append("");
        } else {
            fields.last() += c;
        }
    }
    return fields;
}

double inUnit(const LoggedRow& row, double value)
{
    const QString logged = QString::fromStdString(row.logged);
    return logged.contains("GiB") ? value / 0x1p30 : logged.contains("MiB") ? value / 0x1p20 : value;
}

} // namespace

class TestEngineLogs : public QObject {
    Q_OBJECT

private slots:
    void predictedAgainstLogged_data()
    {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < loggedRows().size(); ++i) {
            const LoggedRow& row = loggedRows()[i];
            QTest::addRow("%s %s", row.id.c_str(), row.what.c_str()) << static_cast<int>(i);
        }
    }

    void predictedAgainstLogged()
    {
        QFETCH(int, row);
        const LoggedRow& each = loggedRows()[static_cast<std::size_t>(row)];
        const LoggedFigure predicted = each.predict();
        const LoggedFigure logged = observed(each);
        const QString says = QString("predicted %1 to %2, logged %3 to %4")
                                 .arg(predicted.low, 0, 'f', 3)
                                 .arg(predicted.high, 0, 'f', 3)
                                 .arg(logged.low, 0, 'f', 3)
                                 .arg(logged.high, 0, 'f', 3);
        QVERIFY2(holds(each) == (each.expect != Expect::Deviates), qPrintable(says));
        QVERIFY(each.expect == Expect::Holds || !each.reason.empty());
    }

    /// Every clean row of the collected logs is judged here, on the figure it holds.
    void noCleanRowIsLeftOut()
    {
        const QString folder = qEnvironmentVariable("KVPLAN_DATA");
        if (folder.isEmpty()) {
            QSKIP("KVPLAN_DATA names no folder with engine_logs.csv");
        }
        QFile file(folder + "/engine_logs.csv");
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.errorString()));
        QTextStream stream(&file);
        const QStringList header = fieldsOf(stream.readLine());
        const auto column = [&](const char* name) { return header.indexOf(name); };
        int clean = 0;
        int within = 0;
        while (!stream.atEnd()) {
            const QStringList fields = fieldsOf(stream.readLine());
            QCOMPARE(fields.size(), header.size());
            const std::string id = fields[column("id")].toStdString();
            const auto row = std::ranges::find(loggedRows(), id, &LoggedRow::id);
            const bool isClean = fields[column("evidence")] == "A" && fields[column("fitted")] == "no"
                && fields[column("rule_settled_on_these_logs")] == "no";
            if (row == loggedRows().end()) {
                QVERIFY2(!isClean, qPrintable("not judged: " + fields[column("id")]));
                continue;
            }
            clean += isClean ? 1 : 0;
            within += isClean && holds(*row) ? 1 : 0;
            const std::set<std::string> asRatio{"V47", "H01"}; // judged here by their counts
            if (isClean && !asRatio.contains(id)) {
                QVERIFY2(
                    std::abs(inUnit(*row, observed(*row).value) - fields[column("measured_value")].toDouble()) < 1e-9,
                    id.c_str());
            }
        }
        QCOMPARE(clean, 57);
        QCOMPARE(within, 55);
    }

    void table()
    {
        const QString path = qEnvironmentVariable("KVPLAN_TABLE");
        if (path.isEmpty()) {
            QSKIP("KVPLAN_TABLE names no file to write");
        }
        QFile file(path);
        QVERIFY2(file.open(QIODevice::WriteOnly | QIODevice::Truncate), qPrintable(file.errorString()));
        QTextStream out(&file);
        out << "| row | figure | logged | predicted | result |\n| --- | --- | ---: | ---: | --- |\n";
        for (const LoggedRow& row : loggedRows()) {
            const LoggedFigure predicted = row.predict();
            const int decimals = row.logged.find('.') == std::string::npos ? 0 : 2;
            const QString low = QString::number(inUnit(row, predicted.low), 'f', decimals);
            const QString high = QString::number(inUnit(row, predicted.high), 'f', decimals);
            out << "| " << row.id.c_str() << " | " << row.what.c_str() << " | " << row.logged.c_str() << " | "
                << (low == high ? low : low + " to " + high) << " | " << word(row)
                << (row.expect == Expect::Deviates ? QString(": ") + row.reason.c_str() : QString()) << " |\n";
        }
    }
};

QTEST_APPLESS_MAIN(TestEngineLogs)
#include "tst_engine_logs.moc"

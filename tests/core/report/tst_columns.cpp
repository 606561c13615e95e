// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/columns.h"

#include <QTest>

using namespace kvplan;

class TestColumns : public QObject {
    Q_OBJECT

private slots:
    void cellsStandUnderEachOther()
    {
        Columns columns({Align::Left, Align::Right});
        columns.add({"a", "1", "x"});
        columns.add({"long", "1,234"});
        QCOMPARE(columns.text(), std::string("  a         1  x\n  long  1,234\n"));
    }

    void widthsCountCharacters()
    {
        Columns columns({Align::Left, Align::Left});
        columns.add({"10⁹", "x"});
        columns.add({"abc", "y"});
        QCOMPARE(columns.text(""), std::string("10⁹  x\nabc  y\n"));
    }

    void noLineEndsInSpaces()
    {
        Columns columns({Align::Left, Align::Left});
        columns.add({"a", ""});
        columns.add({"a", "wide"});
        QVERIFY(columns.text("").starts_with("a\n"));
    }

    void nothingIsNothing() { QCOMPARE(Columns({}).text(), std::string()); }

    void bytesShowInTheUnitThatSuits_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << qint64(0) << "0 B";
        QTest::newRow("a token") << qint64(131072) << "131,072 B";
        QTest::newRow("just below a MiB") << qint64(1048575) << "1,048,575 B";
        QTest::newRow("a block") << qint64(2) * 1048576 << "2 MiB";
        QTest::newRow("a pool") << qint64(64424509440) << "60.0 GiB";
        QTest::newRow("missing memory") << qint64(-64424509440) << "-60.0 GiB";
    }
    void bytesShowInTheUnitThatSuits()
    {
        QFETCH(qint64, bytes);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(bytesText(Bytes(bytes))), text);
    }
};

QTEST_GUILESS_MAIN(TestColumns)
#include "tst_columns.moc"

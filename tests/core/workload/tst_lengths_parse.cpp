// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/lengths.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace kvplan;

class TestLengthsParse : public QObject {
    Q_OBJECT

private slots:
    void badTextIsRefusedWithItsReason_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        QTest::newRow("empty") << ""
                               << "not a length distribution";
        QTest::newRow("a number alone") << "128"
                                        << "not a length distribution";
        QTest::newRow("unknown name") << "zipf:2"
                                      << "there is no distribution \"zipf\"";
        QTest::newRow("endless name") << QString(100000, 'x') + ":1"
                                      << "there is no distribution";
        QTest::newRow("no figure") << "fixed:"
                                   << "\"\" is not a number";
        QTest::newRow("words") << "fixed:many"
                               << "\"many\" is not a number";
        QTest::newRow("trailing letters") << "exponential:5x"
                                          << "\"5x\" is not a number";
        QTest::newRow("NaN") << "exponential:nan"
                             << "\"nan\" is not a number";
        QTest::newRow("infinite") << "exponential:inf"
                                  << "\"inf\" is not a number";
        QTest::newRow("beyond a double") << "exponential:1e999"
                                         << "is not a number";
        QTest::newRow("zero") << "fixed:0"
                              << "0 is not between 0 and 10⁹";
        QTest::newRow("negative") << "exponential:-3"
                                  << "-3 is not between 0 and 10⁹";
        QTest::newRow("absurdly large") << "fixed:1e12"
                                        << "is not between 0 and 10⁹";
        QTest::newRow("half a token") << "fixed:10.5"
                                      << "10.5 is not a whole number of tokens";
        QTest::newRow("one figure too many") << "fixed:1,2"
                                             << "fixed takes 1 number and has 2";
        QTest::newRow("one figure missing") << "uniform:1"
                                            << "uniform takes 2 numbers and has 1";
        QTest::newRow("an empty figure") << "uniform:1,"
                                         << "\"\" is not a number";
        QTest::newRow("backwards") << "uniform:9,3"
                                   << "uniform:9,3 ends before it begins";
        QTest::newRow("mean below a token") << "exponential:0.5"
                                            << "a mean of 0.5 is not possible";
        QTest::newRow("lognormal mean below a token") << "lognormal:0.5,2"
                                                      << "a mean of 0.5 is not possible";
        QTest::newRow("P95 below the mean") << "lognormal:100,99"
                                            << "95th percentile of 99 lies below the mean of 100";
        QTest::newRow("P95 below the median") << "lognormal-median:100,99"
                                              << "lies below the median of 100";
        QTest::newRow("no such lognormal") << "lognormal:100,387"
                                           << "no lognormal has a 95th percentile 3.87 times its mean";
        QTest::newRow("a mean beyond all contexts") << "lognormal-median:1,1e9"
                                                    << "a mean of more than 10⁹ tokens";
        QTest::newRow("Pareto without a mean") << "pareto:100,1"
                                               << "a Pareto of shape 1 has no mean";
        QTest::newRow("Pareto missing its shape") << "pareto:100"
                                                  << "pareto takes 2 or 3 numbers and has 1";
        QTest::newRow("cap below the shortest") << "pareto:100,2,50"
                                                << "the cap 50 lies below the shortest length 50";
    }
    void badTextIsRefusedWithItsReason()
    {
        QFETCH(QString, text);
        QFETCH(QString, reason);
        const auto lengths = LengthDistribution::parse(text.toStdString());
        QVERIFY(!lengths);
        const QString sentence = QString::fromStdString(lengths.error().sentence());
        QVERIFY2(sentence.contains(reason), qPrintable(sentence));
        QVERIFY(!lengths.error().mend.empty());
        QVERIFY2(sentence.size() < 300, qPrintable(sentence.left(400)));
    }

    void theLastRatioThatALognormalHas() { QVERIFY(LengthDistribution::parse("lognormal:1000,3868")); }

    void badFilesAreRefusedWithTheirLine_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("reason");
        QTest::newRow("empty") << QByteArray() << "the file holds no lengths";
        QTest::newRow("blank lines alone") << QByteArray("\n\n\r\n") << "the file holds no lengths";
        QTest::newRow("a header") << QByteArray("tokens\n12\n") << "\"tokens\" is not a length from 1 to 10⁹";
        QTest::newRow("zero on the third line") << QByteArray("5\n\n0\n") << "line 3";
        QTest::newRow("negative") << QByteArray("-5\n") << "\"-5\" is not a length";
        QTest::newRow("a fraction") << QByteArray("5\n1.5\n") << "\"1.5\" is not a length";
        QTest::newRow("too long") << QByteArray("1000000001\n") << "is not a length from 1 to 10⁹";
        QTest::newRow("beyond 64 bits") << QByteArray("99999999999999999999\n") << "is not a length";
        QTest::newRow("two columns") << QByteArray("5,6\n") << "\"5,6\" is not a length";
        QTest::newRow("bytes") << QByteArray("\0\1\2", 3) << "line 1";
        QTest::newRow("one endless line") << QByteArray(100000, '7') << "is not a length";
    }
    void badFilesAreRefusedWithTheirLine()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, reason);
        QTemporaryDir folder;
        QFile file(folder.filePath("lengths.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        const auto lengths = LengthDistribution::parse(("empirical:" + file.fileName()).toStdString());
        QVERIFY(!lengths);
        const QString sentence = QString::fromStdString(lengths.error().sentence());
        QVERIFY2(sentence.contains(reason), qPrintable(sentence));
        QVERIFY(sentence.contains("lengths.txt"));
    }

    void filesThatCannotBeReadAreRefused()
    {
        QTemporaryDir folder;
        QVERIFY(!LengthDistribution::parse("empirical:"));
        QCOMPARE(
            LengthDistribution::parse("empirical:" + folder.path().toStdString()).error().code, ErrorCode::Unreadable);
        QCOMPARE(LengthDistribution::parse("empirical:" + folder.filePath("none").toStdString()).error().code,
            ErrorCode::NotFound);
        QFile huge(folder.filePath("huge"));
        QVERIFY(huge.open(QIODevice::WriteOnly));
        QVERIFY(huge.resize(qint64{2} << 30)); // sparse
        QCOMPARE(
            LengthDistribution::parse("empirical:" + huge.fileName().toStdString()).error().code, ErrorCode::TooLarge);
    }
};

QTEST_APPLESS_MAIN(TestLengthsParse)
#include "tst_lengths_parse.moc"

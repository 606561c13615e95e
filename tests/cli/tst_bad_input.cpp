// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/command.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace kvplan::testing;

namespace {

void row(const char* name, const QStringList& arguments, const QString& says)
{
    QTest::newRow(name) << arguments << says;
}

} // namespace

class TestBadInput : public QObject {
    Q_OBJECT

private slots:
    void everyRefusalIsOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");

        row("no such verb", {"plot"}, "no verb \"plot\"");
        row("a verb of another time lists what there is", {"teleport"}, "plan, measure, import");
        row("an empty verb", {""}, "no verb");
        row("a flag before the verb", {"--json", "plan"}, "before a verb");
        row("an unknown flag", {"plan", "--colour", "red"}, "\"--colour\" is not a flag");
        row("a misspelt flag is guessed", {"plan", "--contxt", "5"}, "did you mean --context?");
        row("a short flag", {"plan", "-x"}, "\"-x\" is not a flag");
        row("a word that nobody asked for", {"plan", "tomorrow"}, "\"tomorrow\" is not expected");
        row("a switch with a value", {"plan", "--json=yes"}, "takes no value");

        row("zero layers", {"plan", "--layers=0"}, "--layers");
        row("a negative context", {"plan", "--context", "-5"}, "\"-5\" is too small, --context");
        row("not a number", {"plan", "--context", "many"}, "\"many\" is not a number");
        row("NaN", {"plan", "--context", "nan"}, "\"nan\" is not a number");
        row("NaN for a real", {"plan", "--capacity-gib", "nan"}, "--capacity-gib");
        row("infinity", {"plan", "--capacity-gib", "inf"}, "--capacity-gib");
        row("half a token", {"plan", "--context", "0.5"}, "--context");
        row("beyond the range", {"plan", "--context", "1e300"}, "too large");
        row("beyond 64 bits", {"plan", "--context", "99999999999999999999"}, "too large");
        row("a product beyond 64 bits",
            {"plan", "--layers", "512", "--kv-heads", "1024", "--query-heads", "1024", "--head-dim", "1024",
                "--context", "100000000", "--concurrency", "1000000"},
            "64 bits");
        row("headroom of all there is", {"plan", "--headroom-percent", "100"}, "--headroom-percent");
        row("a certainty", {"plan", "--confidence", "1"}, "--confidence");

        row("no value at the end", {"plan", "--context"}, "no value is given, --context");
        row("a flag in place of a value", {"plan", "--context", "--json"}, "no value is given, --context");
        row("nothing behind the equals sign", {"plan", "--context="}, "no value is given, --context");
        row("an empty name", {"plan", "--model", ""}, "no value is given, --model");
        row("the same flag twice", {"plan", "--layers", "3", "--layers", "4"}, "given 2 times, --layers");
        row("model and config", {"plan", "--model", "Llama-3.1-8B", "--config", "x"}, "--model and --config");

        row("no such model", {"plan", "--model", "no such thing 77"}, "--model");
        row("several models", {"plan", "--model", "Llama"}, "--model");
        row("no such card", {"plan", "--accelerator", "abacus"}, "--accelerator");
        row("no such format", {"plan", "--kv-format", "q9"}, "bf16");
        row("no such engine", {"plan", "--engine", "steam"}, "simple");
        row("no such version", {"plan", "--engine-version", "0.0.9"}, "--engine-version");
        row("a fraction that the engine does not have", {"plan", "--memory-fraction", "0.9"}, "--headroom-percent");
        row("a line break in a name", {"plan", "--model", "a\nb"}, "--model");
        row("a very long name", {"plan", "--model", QString(50000, 'x')}, "--model");

        row("KV heads that do not divide query heads", {"plan", "--kv-heads", "7"}, "7 KV heads do not divide 32");
        row("a width that the format cannot hold", {"plan", "--head-dim", "80", "--kv-format", "q8_0"}, "32");
        row("full layers without a window", {"plan", "--global-every", "6"}, "window");
        row("a rope width without a rank", {"plan", "--mla-rope-dim", "64"}, "mla-rank");
        row("more stages than layers", {"plan", "--pp", "64"}, "64 pipeline stages");
        row("prompt lengths alone", {"plan", "--prompt", "fixed:10"}, "give --output too");
        row("output lengths alone", {"plan", "--output", "fixed:10"}, "give --prompt too");
        row("no such distribution", {"plan", "--prompt", "gauss:1,2", "--output", "fixed:1"}, "--prompt");
        row("a P95 that no lognormal has", {"plan", "--prompt", "lognormal:100,1000", "--output", "fixed:1"},
            "--prompt");

        row("a scenario that is not there", {"plan", "--scenario", "/no/such/file"}, "/no/such/file");
        row("a folder for a scenario", {"plan", "--scenario", "/"}, "folder");
        row("a device for a scenario", {"plan", "--scenario", "/dev/zero"}, "/dev/zero");
        row("a config that is not there", {"plan", "--config", "/no/such/file"}, "/no/such/file");
        row("a folder without a config", {"plan", "--config", "/proc/self/fd"}, "config.json");

        row("import of nothing", {"import"}, "import PATH");
        row("import of two", {"import", "a", "b"}, "\"b\" is not expected");
        row("import of a file that is not there", {"import", "/no/such/file"}, "/no/such/file");
        row("a list of something", {"models", "all"}, "\"all\" is not expected");

        row("no steps", {"measure", "--steps", "0"}, "--steps");
        row("no layers", {"measure", "--layers-resident", "0"}, "--layers-resident");
        row("layers in words", {"measure", "--layers-resident", "some"}, "--layers-resident");
        row("a negative seed", {"measure", "--seed", "-1"}, "--seed");
        row("no such device", {"measure", "--device", "abacus", "--context", "16"}, "abacus");
        row("a format without a kernel", {"measure", "--kv-format", "nvfp4", "--context", "16"}, "nvfp4");

        row("a picture of nothing", {"render", "--view", "moon", "--out", "x.png"}, "--view");
        row("a picture to nowhere", {"render"}, "--out");
        row("a theme of another colour", {"render", "--theme", "red", "--out", "x.png"}, "--theme");
        row("a size in words", {"render", "--size", "large", "--out", "x.png"}, "--size");
        row("a size with one side", {"render", "--size", "100x", "--out", "x.png"}, "--size");
        row("a size beyond reason", {"render", "--size", "99999x99999", "--out", "x.png"}, "--size");
        row("a negative size", {"render", "--size", "-100x100", "--out", "x.png"}, "--size");
        row("a picture of an unknown kind", {"render", "--out", "x.gif"}, "png, svg or pdf");
    }
    void everyRefusalIsOneSentence()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const Ended ended = run(arguments);
        verifyRefused(ended);
        QVERIFY2(QString::fromUtf8(ended.error).contains(says), ended.error.constData());
    }

    void bytesThatAreNotUtf8_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::newRow("in a name") << "plan --model";
        QTest::newRow("in a path") << "plan --scenario";
        QTest::newRow("in a number") << "plan --context";
        QTest::newRow("in a flag") << "plan";
        QTest::newRow("in a verb") << "";
    }
    void bytesThatAreNotUtf8()
    {
        QFETCH(QString, arguments);
        const Ended ended = shell("\"$KVPLAN\" " + arguments + " \"$(printf 'a\\377\\376b')\"");
        verifyRefused(ended);
        QCOMPARE(QString::fromUtf8(ended.error).toUtf8(), ended.error);
    }

    void badFiles_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("empty") << QByteArray() << "some.json";
        QTest::newRow("cut short, with its line") << QByteArray("{\n\"layers\": 3,\n") << "line 3";
        QTest::newRow("a comma too many, with its line") << QByteArray("{\n\"a\": 1,\n}\n") << "line 3";
        QTest::newRow("not an object") << QByteArray("[1, 2]") << "some.json";
        QTest::newRow("not text") << QByteArray("\x00\xff\xfe\x01", 4) << "some.json";
        QTest::newRow("nested without end") << QByteArray(200000, '[') << "some.json";
    }
    void badFiles()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const QString path = m_folder.filePath("some.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
        file.close();
        for (const QStringList& arguments : {QStringList{"plan", "--scenario", path}, QStringList{"import", path}}) {
            const Ended ended = run(arguments);
            verifyRefused(ended);
            QVERIFY2(QString::fromUtf8(ended.error).contains(says), ended.error.constData());
        }
    }

    void aFieldOutOfRangeIsNamedWithItsLine()
    {
        const QString path = m_folder.filePath("range.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"schema\": \"kvplan-scenario\", \"version\": 1,\n\"context\": -5}");
        file.close();
        const Ended ended = run({"plan", "--scenario", path});
        verifyRefused(ended);
        QVERIFY2(ended.error.contains("line 2") && ended.error.contains("context"), ended.error.constData());
    }

    void aHugeFileIsRefusedUnread()
    {
        const QString path = m_folder.filePath("huge.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.resize(Q_INT64_C(2) << 30));
        file.close();
        for (const QStringList& flags : {QStringList{"plan", "--scenario"}, QStringList{"plan", "--config"},
                 QStringList{"import"}, QStringList{"render", "--out", "x.png", "--calibration"}}) {
            // Under a limit far below the file's size: reading it whole would fail for another reason.
            const Ended ended = shell(QString("ulimit -v 1500000; \"$KVPLAN\" %1 '%2'").arg(flags.join(' '), path));
            verifyRefused(ended);
            QVERIFY2(ended.error.contains("MiB"), ended.error.constData());
        }
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestBadInput)
#include "tst_bad_input.moc"

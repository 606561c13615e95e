// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text_file.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

using namespace kvplan;
namespace fs = std::filesystem;

class TestTextFile : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrittenIsRead()
    {
        QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "a.txt";
        QVERIFY(writeFile(path, "first"));
        QVERIFY(writeFile(path, "second\n"));
        QCOMPARE(*readTextFile(path, 100, "a text"), std::string("second\n"));
        QCOMPARE(std::distance(fs::directory_iterator(path.parent_path()), {}), 1);
    }

    void unreadablePathsAreRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("code");
        QTest::newRow("no such file") << "missing" << static_cast<int>(ErrorCode::NotFound);
        QTest::newRow("a folder") << "folder" << static_cast<int>(ErrorCode::Unreadable);
        QTest::newRow("a device") << "/dev/null" << static_cast<int>(ErrorCode::Unreadable);
        QTest::newRow("two gigabytes") << "huge" << static_cast<int>(ErrorCode::TooLarge);
    }
    void unreadablePathsAreRefused()
    {
        QFETCH(QString, name);
        QFETCH(int, code);
        QTemporaryDir temporary;
        const fs::path folder(temporary.path().toStdString());
        fs::create_directory(folder / "folder");
        std::ofstream(folder / "huge").close();
        fs::resize_file(folder / "huge", std::uintmax_t{2} << 30);
        const auto text = readTextFile(folder / name.toStdString(), maximumTextFile, "a scenario");
        QVERIFY(!text);
        QCOMPARE(static_cast<int>(text.error().code), code);
        QVERIFY(!text.error().mend.empty());
    }

    void aFailedWriteLeavesWhatWasThere_data()
    {
        QTest::addColumn<QString>("target");
        QTest::newRow("a folder that is not there") << "missing/file.json";
        QTest::newRow("a folder in place of the file") << "folder";
        QTest::newRow("a device") << "/dev/full";
    }
    void aFailedWriteLeavesWhatWasThere()
    {
        QFETCH(QString, target);
        QTemporaryDir temporary;
        const fs::path folder(temporary.path().toStdString());
        fs::create_directory(folder / "folder");
        const auto written = writeFile(folder / target.toStdString(), "text");
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::Unwritable);
        QCOMPARE(std::distance(fs::directory_iterator(folder), {}), 1);
        QVERIFY(fs::is_character_file("/dev/full"));
    }
};

QTEST_APPLESS_MAIN(TestTextFile)
#include "tst_text_file.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/command.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

using namespace kvplan::testing;

class TestRenderVerb : public QObject {
    Q_OBJECT

private slots:
    void everyViewIsDrawnInTheSizeAsked_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("theme");
        for (const char* view : {"plan", "measure"}) {
            for (const char* theme : {"light", "dark"}) {
                QTest::addRow("%s, %s", view, theme) << view << theme;
            }
        }
    }
    void everyViewIsDrawnInTheSizeAsked()
    {
        QFETCH(QString, view);
        QFETCH(QString, theme);
        const QString path = m_folder.filePath("picture.png");
        const Ended ended = run({"render", "--view", view, "--theme", theme, "--size", "1280x800", "--out", path});
        QCOMPARE(ended.exitCode, 0);
        QCOMPARE(ended.out, QByteArray());
        QCOMPARE(ended.error, QByteArray());
        const QImage image(path);
        QCOMPARE(image.size(), QSize(1280, 800));
        const bool dark = image.pixelColor(image.width() - 3, image.height() - 3).lightness() < 128;
        QCOMPARE(dark, theme == "dark");
    }

    void theEndingSaysTheKind_data()
    {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QByteArray>("begins");
        QTest::newRow("png") << "png" << QByteArray("\x89PNG");
        QTest::newRow("svg") << "svg" << QByteArray("<?xml");
        QTest::newRow("pdf") << "pdf" << QByteArray("%PDF");
    }
    void theEndingSaysTheKind()
    {
        QFETCH(QString, ending);
        QFETCH(QByteArray, begins);
        const QString path = m_folder.filePath("picture." + ending);
        QCOMPARE(run({"render", "--out", path, "--size", "800x600"}).exitCode, 0);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith(begins));
    }

    void theScenarioIsTheOneDrawn()
    {
        const QString one = m_folder.filePath("one.png");
        const QString other = m_folder.filePath("other.png");
        QCOMPARE(run({"render", "--out", one}).exitCode, 0);
        QCOMPARE(run({"render", "--out", other, "--context", "65536"}).exitCode, 0);
        QVERIFY(QImage(one) != QImage(other));
    }

    void whatCannotBeWrittenLeavesWhatWasThere_data()
    {
        QTest::addColumn<QString>("out");
        QTest::newRow("no such folder") << "/no/such/folder/x.png";
        QTest::newRow("a folder itself") << m_folder.filePath("folder.png");
        QTest::newRow("a full disk") << "/dev/full.png";
    }
    void whatCannotBeWrittenLeavesWhatWasThere()
    {
        QFETCH(QString, out);
        QDir().mkpath(m_folder.filePath("folder.png"));
        if (out.startsWith("/dev")) {
            QVERIFY(QFile::link("/dev/full", m_folder.filePath("full.png"))
                || QFile::exists(m_folder.filePath("full.png")));
            out = m_folder.filePath("full.png");
        }
        verifyRefused(run({"render", "--size", "400x300", "--out", out}));
        QVERIFY(QDir(m_folder.filePath("folder.png")).exists());
    }

    void aBadScenarioDrawsNothing()
    {
        const QString path = m_folder.filePath("never.png");
        verifyRefused(run({"render", "--out", path, "--kv-heads", "7"}));
        QVERIFY(!QFile::exists(path));
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestRenderVerb)
#include "tst_render_verb.moc"

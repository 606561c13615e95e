// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"
#include "ui/window/render.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

using namespace kvplan;

class TestRender : public QObject {
    Q_OBJECT

private slots:
    void picturesHaveTheirSizeAndTheme_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<bool>("dark");
        QTest::newRow("plan, light") << "plan" << false;
        QTest::newRow("plan, dark") << "plan" << true;
        QTest::newRow("measure, light") << "measure" << false;
        QTest::newRow("measure, dark") << "measure" << true;
    }
    void picturesHaveTheirSizeAndTheme()
    {
        QFETCH(QString, view);
        QFETCH(bool, dark);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("view.png"));
        QVERIFY(renderView(view, Scenario{}, std::nullopt, QSize(1280, 800), dark, path));
        const QImage picture(path);
        QCOMPARE(picture.size(), QSize(1280, 800));
        const Theme theme{.dark = dark};
        QCOMPARE(picture.pixelColor(8, 8), theme.color(Role::Card));
        QCOMPARE(picture.pixelColor(308, 3), theme.color(Role::Ground));
    }

    void theTwoViewsDiffer()
    {
        const QTemporaryDir folder;
        QVERIFY(renderView(QStringLiteral("plan"), {}, std::nullopt, QSize(1280, 800), false,
            folder.filePath(QStringLiteral("plan.png"))));
        QVERIFY(renderView(QStringLiteral("measure"), {}, std::nullopt, QSize(1280, 800), false,
            folder.filePath(QStringLiteral("measure.png"))));
        QVERIFY(QImage(folder.filePath(QStringLiteral("plan.png")))
            != QImage(folder.filePath(QStringLiteral("measure.png"))));
    }

    void svgKeepsLiveText()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("plan.svg")));
        QVERIFY(renderView(QStringLiteral("plan"), {}, std::nullopt, QSize(1280, 800), false, file.fileName()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY(svg.contains("<text"));
        QVERIFY(svg.contains("First limit"));
    }

    void pdfIsOne()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("plan.pdf")));
        QVERIFY(renderView(QStringLiteral("plan"), {}, std::nullopt, QSize(1280, 800), true, file.fileName()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.read(5) == "%PDF-");
    }

    void badRequestsAreRefused_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("name");
        QTest::newRow("view") << "simulate" << QSize(1280, 800) << "a.png";
        QTest::newRow("no width") << "plan" << QSize(0, 800) << "a.png";
        QTest::newRow("huge") << "plan" << QSize(100000, 800) << "a.png";
        QTest::newRow("suffix") << "plan" << QSize(1280, 800) << "a.bmp";
        QTest::newRow("folder") << "plan" << QSize(1280, 800) << "gone/a.png";
    }
    void badRequestsAreRefused()
    {
        QFETCH(QString, view);
        QFETCH(QSize, size);
        QFETCH(QString, name);
        const QTemporaryDir folder;
        QVERIFY(!renderView(view, {}, std::nullopt, size, false, folder.filePath(name)));
        QVERIFY(!QFile::exists(folder.filePath(name)));
    }

    void aContradictionIsItsError()
    {
        const QTemporaryDir folder;
        Scenario scenario;
        scenario.kvHeads = 5;
        const auto drawn = renderView(QStringLiteral("plan"), scenario, std::nullopt, QSize(1280, 800), false,
            folder.filePath(QStringLiteral("a.png")));
        QVERIFY(!drawn);
        QVERIFY(drawn.error().what.find("5 KV heads") != std::string::npos);
    }
};

QTEST_MAIN(TestRender)
#include "tst_render.moc"

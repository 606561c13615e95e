// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/card_grid.h"

#include <QTest>

using namespace kvplan;

class TestCardGrid : public QObject {
    Q_OBJECT

private slots:
    void cardsFollowTheRoom_data()
    {
        QTest::addColumn<QSize>("surface");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("rows");
        QTest::newRow("a window of 1280 x 800") << QSize(948, 540) << 2 << 2;
        QTest::newRow("a window of 1600 x 1000") << QSize(1268, 690) << 3 << 2;
        QTest::newRow("a window of 1920 x 1080") << QSize(1588, 770) << 4 << 2;
        QTest::newRow("a window of 2560 x 1440") << QSize(2228, 1130) << 5 << 2;
        QTest::newRow("a phone") << QSize(200, 100) << 1 << 1;
    }
    void cardsFollowTheRoom()
    {
        QFETCH(QSize, surface);
        QFETCH(int, columns);
        QFETCH(int, rows);
        const GridShape shape = gridFor(surface, 10);
        QCOMPARE(shape.columns, columns);
        QCOMPARE(shape.rows, rows);
    }

    void cardsFillTheSurfaceAGutterApart_data()
    {
        QTest::addColumn<QSize>("surface");
        for (const QSize size :
            {QSize(948, 540), QSize(1268, 691), QSize(1588, 773), QSize(2229, 1131), QSize(417, 300)}) {
            QTest::addRow("%dx%d", size.width(), size.height()) << size;
        }
    }
    void cardsFillTheSurfaceAGutterApart()
    {
        QFETCH(QSize, surface);
        const GridShape shape = gridFor(surface, 10);
        const std::vector<int> spans{shape.columns >= 3 ? 2 : 1, 1, 1, 1, 1, 1, 1, 1, 1};
        const auto places = placeCards(surface, shape, spans);
        QVERIFY(!places.empty());
        int right = 0;
        int bottom = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            QVERIFY(QRect(QPoint(), surface).contains(places[i]));
            right = std::max(right, places[i].right());
            bottom = std::max(bottom, places[i].bottom());
            for (std::size_t j = i + 1; j < places.size(); ++j) {
                QVERIFY(!places[i].adjusted(0, 0, cardGutter - 1, cardGutter - 1).intersects(places[j]));
            }
        }
        QCOMPARE(right, surface.width() - 1);
        QCOMPARE(bottom, surface.height() - 1);
    }

    void nothingIsLeftEmpty()
    {
        const auto places = placeCards(QSize(1200, 600), {3, 2}, {2, 2, 1, 1});
        QCOMPARE(places.size(), std::size_t{3});
        QCOMPARE(places[0].width(), 1200); // the next one did not fit beside it
        QCOMPARE(places[1].right() + 1 + cardGutter, places[2].left());
    }
};

QTEST_APPLESS_MAIN(TestCardGrid)
#include "tst_card_grid.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QTest>

#include <cmath>

using namespace kvplan;

namespace {

/// Relative luminance and contrast as WCAG 2.1 defines them.
double luminance(const QColor& color)
{
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

} // namespace

class TestTheme : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { loadTypeface(); }

    void contrastIsEnough_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<int>("role");
        QTest::addColumn<int>("ground");
        QTest::addColumn<double>("least");
        for (const bool dark : {false, true}) {
            const auto row = [&](const char* name, Role role, Role ground, double least) {
                QTest::addRow("%s, %s", name, dark ? "dark" : "light")
                    << dark << static_cast<int>(role) << static_cast<int>(ground) << least;
            };
            row("text on a card", Role::Text, Role::Card, 4.5);
            row("text on the ground", Role::Text, Role::Ground, 4.5);
            row("quiet text on a card", Role::QuietText, Role::Card, 4.5);
            row("quiet text on the ground", Role::QuietText, Role::Ground, 4.5);
            row("the cache's line", Role::Cache, Role::Card, 3);
            row("the line of what fits", Role::Fits, Role::Card, 3);
            row("the limit's line", Role::Limit, Role::Card, 3);
            row("the third series' line", Role::Series3, Role::Card, 3);
            row("the deep grey line", Role::TakenDeep, Role::Card, 3);
            row("the operating point", Role::Point, Role::Card, 4.5);
            row("the limit on its wash", Role::Limit, Role::LimitWash, 2.5);
        }
    }
    void contrastIsEnough()
    {
        QFETCH(bool, dark);
        QFETCH(int, role);
        QFETCH(int, ground);
        QFETCH(double, least);
        const Theme theme{dark};
        const double found = contrast(theme.color(static_cast<Role>(role)), theme.color(static_cast<Role>(ground)));
        QVERIFY2(found >= least, qPrintable(QString::number(found)));
    }

    void figuresAreEquallyWide()
    {
        for (const QFont& font : {Theme{}.tick(), Theme{}.body(), Theme{}.strong(), Theme{}.verdict()}) {
            const QFontMetricsF metrics(font);
            for (const char* digit : {"0", "2", "3", "7", "8", "9"}) {
                QCOMPARE(metrics.horizontalAdvance(QString::fromLatin1(digit)), metrics.horizontalAdvance(u'1'));
            }
        }
    }

    void typeIsTheBundledOneAndGrowsWhenPresenting()
    {
        QCOMPARE(QFontInfo(Theme{}.body()).family(), QStringLiteral("Roboto"));
        QCOMPARE(Theme{}.tick().pixelSize(), 11);
        QCOMPARE(Theme{}.body().pixelSize(), 13);
        Theme large;
        large.typeScale = 2;
        QCOMPARE(large.body().pixelSize(), 26);
    }

    void palettesDiffer()
    {
        QVERIFY(Theme{false}.palette().color(QPalette::Window).lightnessF() > 0.9);
        QVERIFY(Theme{true}.palette().color(QPalette::Window).lightnessF() < 0.2);
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"

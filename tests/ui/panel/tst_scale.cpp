// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/scale.h"

#include <QTest>

#include <cmath>

using namespace kvplan;

class TestScale : public QObject {
    Q_OBJECT

private slots:
    void everyNumberFieldHasAScale_data()
    {
        QTest::addColumn<int>("field");
        for (const FieldSpec& field : fieldSpecs()) {
            if (field.kind == FieldKind::Integer || field.kind == FieldKind::Real) {
                QTest::newRow(std::string(field.key).c_str()) << static_cast<int>(field.field);
            }
        }
    }
    void everyNumberFieldHasAScale()
    {
        QFETCH(int, field);
        const FieldSpec& description = spec(static_cast<Field>(field));
        const Scale scale(description);
        QVERIFY(scale.maximum() > 0);
        QCOMPARE(scale.value(scale.maximum()), description.sliderMaximum);
        double before = -1;
        for (int position = 0; position <= scale.maximum(); ++position) {
            const double value = scale.value(position);
            QVERIFY(value >= before);
            before = value;
            QVERIFY(value == 0 || value >= description.sliderMinimum);
            // A slider never asks for what the field refuses, and what it shows is where it would put it.
            Scenario scenario;
            QVERIFY(setNumber(scenario, description.field, value));
            QCOMPARE(scale.value(scale.position(value)), value);
        }
        for (const int stop : scale.stops()) {
            const double value = scale.value(stop);
            QVERIFY(value == 0 || std::exp2(std::round(std::log2(value))) == value);
        }
    }

    void theDefaultsLieOnPositions_data()
    {
        QTest::addColumn<int>("field");
        QTest::addColumn<double>("value");
        QTest::newRow("context") << static_cast<int>(Field::Context) << 8192.0;
        QTest::newRow("sequences") << static_cast<int>(Field::Concurrency) << 24.0;
        QTest::newRow("capacity") << static_cast<int>(Field::CapacityGib) << 80.0;
        QTest::newRow("headroom") << static_cast<int>(Field::HeadroomPercent) << 25.0;
        QTest::newRow("head width 80") << static_cast<int>(Field::HeadDim) << 80.0;
        QTest::newRow("confidence") << static_cast<int>(Field::Confidence) << 0.99;
    }
    void theDefaultsLieOnPositions()
    {
        QFETCH(int, field);
        QFETCH(double, value);
        const Scale scale(spec(static_cast<Field>(field)));
        QCOMPARE(scale.value(scale.position(value)), value);
    }

    void valuesOutsideLieOnTheEnds()
    {
        const Scale scale(spec(Field::Context));
        QCOMPARE(scale.position(1), 0);
        QCOMPARE(scale.position(1e8), scale.maximum());
    }

    void stepsAlwaysMoveAndPagesGoToStops()
    {
        const Scale scale(spec(Field::Concurrency));
        QCOMPARE(scale.value(scale.stepped(scale.position(1), +1)), 2.0);
        QCOMPARE(scale.value(scale.stepped(scale.position(2), -1)), 1.0);
        QCOMPARE(scale.value(scale.paged(scale.position(24), +1)), 32.0);
        QCOMPARE(scale.value(scale.paged(scale.position(24), -1)), 16.0);
        QCOMPARE(scale.paged(scale.maximum(), +1), scale.maximum());
        QCOMPARE(scale.stepped(0, -1), 0);
    }

    void offLiesBelowTheFirstStop()
    {
        const Scale scale(spec(Field::Window));
        QCOMPARE(scale.value(0), 0.0);
        QCOMPARE(scale.value(scale.stepped(0, +1)), 128.0);
        QCOMPARE(scale.position(0), 0);
    }
};

QTEST_APPLESS_MAIN(TestScale)
#include "tst_scale.moc"

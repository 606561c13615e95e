// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/format.h"

#include <QTest>

using namespace kvplan;

class TestFormat : public QObject {
    Q_OBJECT

private slots:
    void rowBytesAreExact_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<qint64>("width");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("fp32") << "fp32" << qint64{128} << qint64{512};
        QTest::newRow("bf16") << "bf16" << qint64{128} << qint64{256};
        QTest::newRow("fp16") << "fp16" << qint64{80} << qint64{160};
        QTest::newRow("fp8, one scale a tensor") << "fp8" << qint64{128} << qint64{128};
        QTest::newRow("int8, one scale a tensor") << "int8" << qint64{96} << qint64{96};
        QTest::newRow("int4 packs two") << "int4" << qint64{128} << qint64{64};
        QTest::newRow("fp8 with a scale a token and head") << "fp8_per_token_head" << qint64{128} << qint64{132};
        QTest::newRow("int8 with a scale a token and head") << "int8_per_token_head" << qint64{128} << qint64{132};
        QTest::newRow("q8_0: 34 bytes for 32") << "q8_0" << qint64{128} << qint64{136};
        QTest::newRow("q5_1: 24 bytes for 32") << "q5_1" << qint64{128} << qint64{96};
        QTest::newRow("q5_0: 22 bytes for 32") << "q5_0" << qint64{128} << qint64{88};
        QTest::newRow("q4_1: 20 bytes for 32") << "q4_1" << qint64{128} << qint64{80};
        QTest::newRow("q4_0: 18 bytes for 32") << "q4_0" << qint64{64} << qint64{36};
        QTest::newRow("iq4_nl: 18 bytes for 32") << "iq4_nl" << qint64{128} << qint64{72};
        QTest::newRow("nvfp4: 9 bytes for 16") << "nvfp4" << qint64{128} << qint64{72};
        QTest::newRow("mxfp4: 17 bytes for 32") << "mxfp4" << qint64{128} << qint64{68};
        QTest::newRow("fp8_ds_mla: 656 bytes a token") << "fp8_ds_mla" << qint64{576} << qint64{656};
    }
    void rowBytesAreExact()
    {
        QFETCH(QString, format);
        QFETCH(qint64, width);
        QFETCH(qint64, bytes);
        const auto found = cacheFormatFromName(format.toStdString());
        QVERIFY(found);
        QVERIFY(checkRowWidth(*found, width));
        QCOMPARE(rowBytes(*found, width).count(), bytes);
    }

    void widthsThatDoNotDivideAreRefused_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<qint64>("width");
        QTest::newRow("q8_0 of 80") << "q8_0" << qint64{80};
        QTest::newRow("q4_0 of 112") << "q4_0" << qint64{112};
        QTest::newRow("nvfp4 of 40") << "nvfp4" << qint64{40};
        QTest::newRow("int4 of 65") << "int4" << qint64{65};
        QTest::newRow("fp8_ds_mla of two latents") << "fp8_ds_mla" << qint64{1152};
    }
    void widthsThatDoNotDivideAreRefused()
    {
        QFETCH(QString, format);
        QFETCH(qint64, width);
        const auto checked = checkRowWidth(*cacheFormatFromName(format.toStdString()), width);
        QVERIFY(!checked);
        QVERIFY(checked.error().what.find(std::to_string(width)) != std::string::npos);
        QVERIFY(!checked.error().mend.empty());
    }

    void everyFormatIsFoundByItsName()
    {
        for (const CacheFormatInfo& format : cacheFormats()) {
            QCOMPARE(*cacheFormatFromName(format.name), format.format);
            QCOMPARE(name(format.format), format.name);
        }
        QCOMPARE(*cacheFormatFromName("BF16"), CacheFormat::Bf16);
        QVERIFY(!cacheFormatFromName("bf17"));
    }

    void listedByFallingBytes()
    {
        double before = 1e9;
        for (const CacheFormatInfo& format : cacheFormats()) {
            const double bytes = static_cast<double>(rowBytes(format.format, 576).count());
            QVERIFY2(bytes <= before, format.name.data());
            before = bytes;
        }
    }
};

QTEST_APPLESS_MAIN(TestFormat)
#include "tst_format.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/element.h"
#include "tests/oracle/dense_attention.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <random>

using namespace kvplan;

namespace {

double stored(CacheFormat format, float value, float scale = 1)
{
    std::byte bytes[4];
    encodeElements(format, &value, 1, scale, bytes);
    return decodeElement(format, bytes, 0, scale);
}

} // namespace

class TestElement : public QObject {
    Q_OBJECT

private slots:
    void everyFiniteHalfAndBfloatComesBackAsItself()
    {
        for (const CacheFormat format : {CacheFormat::Fp16, CacheFormat::Bf16}) {
            for (unsigned bits = 0; bits < 65536; ++bits) {
                const auto pattern = static_cast<std::uint16_t>(bits);
                std::byte in[4]{};
                std::memcpy(in, &pattern, 2);
                const double value = decodeElement(format, in, 0, 1);
                if (!std::isfinite(value)) {
                    continue;
                }
                QCOMPARE(value, oracle::storedValue(format, reinterpret_cast<const unsigned char*>(in), 0, 1));
                const auto single = static_cast<float>(value);
                std::byte out[2];
                encodeElements(format, &single, 1, 1, out);
                QVERIFY(std::memcmp(in, out, 2) == 0);
            }
        }
    }

    void roundsToTheNearestAndTiesToEven()
    {
        QCOMPARE(stored(CacheFormat::Fp16, 1 + 0x1p-11F), 1.0); // half a step: to even
        QCOMPARE(stored(CacheFormat::Fp16, 1 + 3 * 0x1p-11F), 1 + 0x1p-9);
        QCOMPARE(stored(CacheFormat::Fp16, 1 + 0x1.8p-11F), 1 + 0x1p-10);
        QCOMPARE(stored(CacheFormat::Fp16, 0x1.ffffp0F), 2.0); // carries into the exponent
        QCOMPARE(stored(CacheFormat::Fp16, 0x1p-25F), 0.0); // half the least subnormal
        QCOMPARE(stored(CacheFormat::Fp16, 0x1.8p-25F), 0x1p-24);
        QVERIFY(std::isinf(stored(CacheFormat::Fp16, 65520.0F)));
        QCOMPARE(stored(CacheFormat::Fp16, 65519.0F), 65504.0);
        QCOMPARE(stored(CacheFormat::Bf16, 1 + 0x1p-8F), 1.0);
        QCOMPARE(stored(CacheFormat::Bf16, 1 + 3 * 0x1p-8F), 1 + 0x1p-6);
        QVERIFY(std::isnan(stored(CacheFormat::Bf16, std::nanf(""))));
        QVERIFY(std::isnan(stored(CacheFormat::Fp16, std::nanf(""))));
    }

    void int8HasOneScaleAndSaturates()
    {
        QCOMPARE(stored(CacheFormat::Int8, 0.74F, 0.5F), 0.5);
        QCOMPARE(stored(CacheFormat::Int8, -0.76F, 0.5F), -1.0);
        QCOMPARE(stored(CacheFormat::Int8, 1000.0F, 0.5F), 63.5);
        QCOMPARE(stored(CacheFormat::Int8, -1000.0F, 0.5F), -63.5);
    }

    void randomElementsAreFiniteAndNeverAllZero()
    {
        std::mt19937_64 random(1);
        for (const CacheFormat format : {CacheFormat::Fp32, CacheFormat::Bf16, CacheFormat::Fp16}) {
            const std::int64_t size = rowBytes(format, 1).count();
            for (int i = 0; i < 1000; ++i) {
                const std::uint64_t word = randomElements(format, random());
                std::byte bytes[8];
                std::memcpy(bytes, &word, 8);
                for (std::int64_t element = 0; element < 8 / size; ++element) {
                    const double magnitude = std::abs(decodeElement(format, bytes, element, 1));
                    QVERIFY(magnitude >= 0.25 && magnitude < 1);
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestElement)
#include "tst_element.moc"

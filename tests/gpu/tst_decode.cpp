// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/decode_kernel.h"
#include "gpu/host/mapping.h"
#include "tests/gpu/paged_case.h"

#include <QTest>

#include <hwy/targets.h>

#include <algorithm>
#include <array>
#include <set>

using namespace kvplan;

namespace {

constexpr double tolerance = 2e-5;

bool fullList()
{
    return qEnvironmentVariableIntValue("KVPLAN_FULL_TESTS") == 1;
}

const std::vector<CacheFormat> formats{CacheFormat::Bf16, CacheFormat::Fp16, CacheFormat::Fp32, CacheFormat::Int8};
const std::vector<std::int64_t> widths{64, 80, 96, 112, 128, 192, 256};
const std::vector<std::int64_t> blockSizes{8, 16, 32, 64, 128};
constexpr std::size_t groups = 17; // 1 to 16 on two KV heads, and eight query heads on one

using Choice = std::array<std::size_t, 4>; ///< format, width, group, block size
constexpr std::size_t choices = 4;

std::vector<Choice> everyChoice()
{
    std::vector<Choice> all;
    for (std::size_t f = 0; f < formats.size(); ++f) {
        for (std::size_t w = 0; w < widths.size(); ++w) {
            for (std::size_t g = 0; g < groups; ++g) {
                for (std::size_t b = 0; b < blockSizes.size(); ++b) {
                    all.push_back({f, w, g, b});
                }
            }
        }
    }
    return all;
}

using Pair = std::array<std::size_t, 4>; ///< two parameters and their values

std::vector<Pair> pairsOf(const Choice& choice)
{
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < choices; ++i) {
        for (std::size_t j = i + 1; j < choices; ++j) {
            pairs.push_back({i, j, choice[i], choice[j]});
        }
    }
    return pairs;
}

/// Choices such that every value of every parameter meets every value of every other one.
std::vector<Choice> pairwiseChoices()
{
    std::vector<Choice> all = everyChoice();
    std::shuffle(all.begin(), all.end(), std::mt19937_64(3));
    std::set<Pair> open;
    for (const Choice& choice : all) {
        const auto pairs = pairsOf(choice);
        open.insert(pairs.begin(), pairs.end());
    }
    std::vector<Choice> taken;
    for (std::ptrdiff_t worth = 6; worth > 0; --worth) {
        for (const Choice& choice : all) {
            const auto pairs = pairsOf(choice);
            if (std::ranges::count_if(pairs, [&](const Pair& pair) { return open.contains(pair); }) >= worth) {
                taken.push_back(choice);
                for (const Pair& pair : pairs) {
                    open.erase(pair);
                }
            }
        }
    }
    return taken;
}

PagedShape shapeOf(const Choice& choice)
{
    PagedShape shape;
    shape.format = formats[choice[0]];
    shape.keyDim = shape.valueDim = widths[choice[1]];
    shape.kvHeads = choice[2] + 1 == groups ? 1 : 2;
    shape.group = choice[2] + 1 == groups ? 8 : static_cast<std::int64_t>(choice[2]) + 1;
    const std::int64_t k = shape.blockTokens = blockSizes[choice[3]];
    shape.lengths = {k + 1, 0, 1, k - 1, 2100 + k / 2, k, 0};
    shape.seed = 1 + choice[0] + 4 * choice[1] + 28 * choice[2] + 476 * choice[3];
    return shape;
}

std::string describe(const PagedShape& shape)
{
    return std::string(name(shape.format)) + " width " + std::to_string(shape.keyDim) + " group "
        + std::to_string(shape.group) + " on " + std::to_string(shape.kvHeads) + " block "
        + std::to_string(shape.blockTokens);
}

std::vector<std::int64_t> machineTargets()
{
    std::vector<std::int64_t> targets;
    for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
        targets.push_back(left & -left);
    }
    return targets;
}

} // namespace

class TestDecode : public QObject {
    Q_OBJECT

private slots:
    void agreesWithTheReference_data()
    {
        QTest::addColumn<PagedShape>("shape");
        for (const Choice& choice : fullList() ? everyChoice() : pairwiseChoices()) {
            const PagedShape shape = shapeOf(choice);
            QTest::addRow("%s", describe(shape).c_str()) << shape;
        }
    }
    void agreesWithTheReference()
    {
        QFETCH(PagedShape, shape);
        PagedCase paged(shape);
        paged.run();
        QVERIFY2(paged.worstError() <= tolerance, qPrintable(QString::number(paged.worstError())));
    }

    void subsetMeetsEveryPair()
    {
        std::set<Pair> met;
        for (const Choice& choice : pairwiseChoices()) {
            const auto pairs = pairsOf(choice);
            met.insert(pairs.begin(), pairs.end());
        }
        const std::size_t sizes[] = {formats.size(), widths.size(), groups, blockSizes.size()};
        std::size_t expected = 0;
        for (std::size_t i = 0; i < choices; ++i) {
            for (std::size_t j = i + 1; j < choices; ++j) {
                expected += sizes[i] * sizes[j];
            }
        }
        QCOMPARE(met.size(), expected);
    }

    void latentCacheAgreesWithTheReference_data()
    {
        QTest::addColumn<PagedShape>("shape");
        for (const CacheFormat format : formats) {
            for (const std::int64_t heads : {16, 128}) {
                for (const std::int64_t block : {8, 64}) {
                    PagedShape shape{format, 1, heads, 576, 512, 0, true, block, {block + 1, 0, 700, 1}, 5, 2};
                    QTest::addRow("%s", describe(shape).c_str()) << shape;
                }
            }
        }
    }
    void latentCacheAgreesWithTheReference() { agreesWithTheReference(); }

    void keysAndValuesOfDifferentWidth()
    {
        for (const CacheFormat format : formats) {
            PagedCase paged({format, 2, 4, 192, 128, 0, false, 16, {1, 300, 77}, 6, 2});
            paged.run();
            QVERIFY(paged.worstError() <= tolerance);
        }
    }

    void widthsThatFillNoWholeVector_data()
    {
        QTest::addColumn<PagedShape>("shape");
        for (const std::int64_t width : {8, 24, 40, 72, 88, 120}) {
            PagedShape shape{CacheFormat::Bf16, 3, 3, width, width, 0, false, 16, {33, 5}, 7, 2};
            QTest::addRow("%s", describe(shape).c_str()) << shape;
        }
    }
    void widthsThatFillNoWholeVector() { agreesWithTheReference(); }

    void anyBlockSize_data()
    {
        QTest::addColumn<PagedShape>("shape");
        for (const std::int64_t block : {1, 2, 3, 5, 7, 13, 31, 100, 256}) {
            PagedShape shape{CacheFormat::Fp16, 2, 4, 64, 64, 0, false, block, {0, 1, 99, 600}, 8, 2};
            QTest::addRow("%s", describe(shape).c_str()) << shape;
        }
    }
    void anyBlockSize() { agreesWithTheReference(); }

    void slidingWindowsReadOnlyTheirTokens_data()
    {
        QTest::addColumn<PagedShape>("shape");
        for (const std::int64_t window : {1, 2, 15, 16, 17, 100, 1024, 5000}) {
            for (const std::int64_t block : {8, 16, 64}) {
                PagedShape shape{formats[static_cast<std::size_t>(window % 4)], 2, 3, 80, 80, window, false, block,
                    {0, 1, window - 1, window, window + 1, 2000}, 9, 2};
                QTest::addRow("window %lld block %lld", static_cast<long long>(window), static_cast<long long>(block))
                    << shape;
            }
        }
    }
    void slidingWindowsReadOnlyTheirTokens() { agreesWithTheReference(); }

    void emptySequencesGiveZeros()
    {
        PagedCase paged({CacheFormat::Bf16, 2, 4, 64, 64, 0, false, 16, {0, 0, 0}, 10, 2});
        paged.run();
        for (const float value : paged.outputs()) {
            QCOMPARE(value, 0.0F);
        }
    }

    /// The last token attended to, the one after it and (with a window) the one before the first all dominate their
    /// sequence, each with other values: a mask that is off by one in either direction cannot go unseen.
    void maskIsExactToTheToken_data()
    {
        QTest::addColumn<std::int64_t>("length");
        QTest::addColumn<std::int64_t>("window");
        for (const std::int64_t length : {1, 15, 16, 17, 4097, 16385}) {
            for (const std::int64_t window : {0, 9, 1000}) {
                QTest::addRow("length %lld window %lld", static_cast<long long>(length), static_cast<long long>(window))
                    << length << window;
            }
        }
    }
    void maskIsExactToTheToken()
    {
        QFETCH(std::int64_t, length);
        QFETCH(std::int64_t, window);
        for (const CacheFormat format : formats) {
            PagedCase paged({format, 1, 2, 64, 64, window, false, 32, {length}, 11, 2});
            paged.setQueries(1);
            const std::int64_t begin = paged.begin(0);
            paged.setToken(0, length, 1.4F, -0.5F);
            paged.setToken(0, length - 1, 1.4F, 0.5F);
            if (begin > 0) {
                paged.setToken(0, begin - 1, 1.4F, -0.6F);
            }
            if (begin < length - 1) {
                paged.setToken(0, begin, 1.4F, 0.25F);
            }
            paged.run();
            QVERIFY(paged.worstError() <= tolerance);

            const std::vector<double> right = paged.expected(0, 0);
            QVERIFY(oracle::relativeError(paged.expected(0, 0, begin, length + 1), right) > 1000 * tolerance);
            QVERIFY(oracle::relativeError(paged.expected(0, 0, begin, length - 1), right) > 1000 * tolerance);
            if (begin > 0) {
                QVERIFY(oracle::relativeError(paged.expected(0, 0, begin - 1, length), right) > 1000 * tolerance);
                QVERIFY(oracle::relativeError(paged.expected(0, 0, begin + 1, length), right) > 1000 * tolerance);
            }
        }
    }

    void extremeScoresStayFinite()
    {
        for (const float size : {60.0F, 3e4F, 1e18F}) {
            PagedCase paged({CacheFormat::Fp32, 1, 3, 64, 64, 0, false, 16, {600}, 12, 2});
            paged.setQueries(size);
            paged.setToken(0, 400, size, 0.75F);
            paged.setToken(0, 401, -size, 0.25F);
            paged.run();
            QVERIFY(paged.worstError() <= tolerance);
        }
    }

    void offsetsBeyond32Bits()
    {
        // 2^19 + 9 blocks of 16 tokens, 4 heads and 2·64 elements: 2^32 elements and more, of which a few are touched.
        PagedShape shape{CacheFormat::Bf16, 4, 2, 64, 64, 0, false, 16, {200, 33}, 13, 2};
        PagedCase paged(shape);
        const std::int64_t last = (std::int64_t{1} << 19) + 8;
        auto memory = Mapping::create(Bytes((last + 1) * paged.layer().blockBytes), false);
        if (!memory) {
            QSKIP("the system does not give 8 GiB of address space");
        }
        QVERIFY(last * paged.layer().blockBytes / 2 > (std::int64_t{1} << 32));
        const std::int64_t places[] = {0, last / 4, last / 2, last};
        paged.runAt(memory->data(), [&](std::int32_t block) {
            return static_cast<std::int32_t>(std::abs(places[block % 4] - block)); // all different
        });
        QVERIFY(paged.worstError() <= tolerance);
    }

    void itemsCoverEveryTokenOnce()
    {
        std::mt19937_64 random(4);
        for (int round = 0; round < 300; ++round) {
            const auto block = static_cast<std::int64_t>(1 + random() % 40);
            const auto threads = static_cast<int>(1 + random() % 9);
            std::vector<SequenceView> views(1 + random() % 6);
            for (SequenceView& view : views) {
                view.end = static_cast<std::int64_t>(random() % 9000);
                view.begin = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(view.end + 1));
            }
            std::vector<std::int64_t> at(views.size());
            std::ranges::transform(views, at.begin(), &SequenceView::begin);
            for (const WorkItem& item : splitWork(views, block, threads)) {
                QVERIFY(item.begin < item.end);
                QCOMPARE(item.begin, at[static_cast<std::size_t>(item.sequence)]);
                at[static_cast<std::size_t>(item.sequence)] = item.end;
            }
            for (std::size_t s = 0; s < views.size(); ++s) {
                QCOMPARE(at[s], views[s].begin == views[s].end ? views[s].begin : views[s].end);
            }
            std::ranges::fill(views, views[0]);
            QCOMPARE(static_cast<std::int64_t>(splitWork(views, block, threads).size()),
                countWork(static_cast<std::int64_t>(views.size()), views[0].begin, views[0].end, block, threads));
        }
    }

    void anyNumberOfSplitsAgrees()
    {
        for (const int threads : {1, 2, 3, 7, 16}) {
            PagedCase paged({CacheFormat::Bf16, 2, 4, 64, 64, 0, false, 16, {9000, 3, 0}, 14, threads});
            paged.run();
            QVERIFY(paged.worstError() <= tolerance);
        }
    }

    void repeatedRunsAreEqualToTheBit()
    {
        PagedCase paged({CacheFormat::Fp16, 2, 5, 96, 96, 0, false, 16, {3000, 700}, 15, 2});
        paged.run();
        const std::vector<float> first = paged.outputs();
        for (int i = 0; i < 20; ++i) {
            paged.run();
            QVERIFY(paged.outputs() == first);
        }
    }

    void everyInstructionSetAgrees_data()
    {
        QTest::addColumn<qlonglong>("target");
        for (const std::int64_t target : machineTargets()) {
            QTest::newRow(hwy::TargetName(target)) << static_cast<qlonglong>(target);
        }
    }
    void everyInstructionSetAgrees()
    {
        QFETCH(qlonglong, target);
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        const QString ran = QString::fromLatin1(attendTarget());
        for (const CacheFormat format : formats) {
            for (const std::int64_t width : {64, 72, 80, 128}) {
                for (const std::int64_t group : {1, 2, 5}) {
                    PagedCase paged({format, 2, group, width, width, 0, false, 16, {0, 1, 17, 300}, 16, 2});
                    paged.run();
                    QVERIFY(paged.worstError() <= tolerance);
                }
            }
        }
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        if (ran != QString::fromLatin1(hwy::TargetName(target))) {
            QSKIP(qPrintable("this compiler does not build it; " + ran + " ran in its place and agrees"));
        }
    }
};

QTEST_APPLESS_MAIN(TestDecode)
#include "tst_decode.moc"

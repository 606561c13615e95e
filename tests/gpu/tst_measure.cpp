// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cache_layout.h"
#include "gpu/host/system_memory.h"
#include "gpu/measurement.h"

#include <QTest>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace kvplan;

namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20;

/// Four layers of 8 MiB each.
MeasureRequest smallRequest()
{
    MeasureRequest request;
    request.shapes = {{4, 8, 2, 64, 64, 0, false}};
    request.context = Tokens(4095);
    request.sequences = 4;
    request.steps = 3;
    return request;
}

const MemoryLine& line(const Measurement& measurement, const std::string& name)
{
    const auto found = std::ranges::find(measurement.memory, name, &MemoryLine::name);
    if (found == measurement.memory.end()) {
        qFatal("there is no memory line \"%s\"", name.c_str());
    }
    return *found;
}

/// Address space of this process, which memory given back with munmap leaves at once.
std::int64_t addressSpace()
{
    std::ifstream file("/proc/self/statm");
    std::int64_t pages = 0;
    file >> pages;
    return pages * 4096;
}

} // namespace

class TestMeasure : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        MeasureRequest request = smallRequest(); // starts the threads, whose memory stays
        request.layersResident = 1;
        QVERIFY(measure(request).has_value());
    }

    void memoryIsAsPredictedLineByLine_data()
    {
        QTest::addColumn<int>("format");
        QTest::addColumn<int>("context");
        for (const CacheFormat format : {CacheFormat::Bf16, CacheFormat::Fp16, CacheFormat::Fp32, CacheFormat::Int8}) {
            for (const int context : {0, 100, 4095}) {
                QTest::addRow("%s at %d", std::string(name(format)).c_str(), context)
                    << static_cast<int>(format) << context;
            }
        }
    }
    void memoryIsAsPredictedLineByLine()
    {
        QFETCH(int, format);
        QFETCH(int, context);
        MeasureRequest request = smallRequest();
        request.format = static_cast<CacheFormat>(format);
        request.context = Tokens(context);
        const auto m = measure(request);
        QVERIFY2(m.has_value(), m ? "" : m.error().sentence().c_str());
        const std::int64_t blocks = 4 * ((context + 16) / 16);
        const std::int64_t pool = 4 * blocks * 16 * 2 * 128 * rowBytes(request.format, 1).count();
        QCOMPARE(line(*m, "pool").predicted->count(), pool);
        QCOMPARE(line(*m, "pool").measured->count(), pool);
        QCOMPARE(line(*m, "block tables").predicted->count(), 4 * blocks);
        QVERIFY(std::abs(m->deviceUsedBytes.count() - m->predictedBytes.count())
            <= std::max<std::int64_t>(m->predictedBytes.count() / 100, 5 * mib / 2));
        QCOMPARE(m->kvBytesPerStep.count(), 4 * 4 * (context + 1) * 2 * 128 * rowBytes(request.format, 1).count());
        QCOMPARE(m->flopsPerStep, std::int64_t{4} * 4 * (context + 1) * 2 * 8 * 128);
        QVERIFY(m->checkPassed);
        QCOMPARE(m->stepSamples.size(), std::size_t{3});
        QVERIFY(m->stepSeconds.p10 <= m->stepSeconds.median && m->stepSeconds.median <= m->stepSeconds.p90);
        QVERIFY(m->readBytesPerSecond > 0 && m->copyBytesPerSecond > 0 && m->fmaFlopsPerSecond > 0);
        QVERIFY(m->kernelFlopsPerSecond > 0 && m->predictedStepSeconds >= m->predictedMaxStepSeconds / 4);
    }

    void shapesTogether()
    {
        MeasureRequest request = smallRequest();
        request.shapes = {{2, 8, 2, 64, 64, 0, false}, {4, 8, 2, 80, 80, 100, false}, {1, 16, 1, 576, 512, 0, true}};
        const auto m = measure(request);
        QVERIFY2(m.has_value(), m ? "" : m.error().sentence().c_str());
        QVERIFY(m->checkPassed);
        QCOMPARE(m->sequencesChecked, 9);
        const std::int64_t full = 2 * 4 * 4096 * 2 * 128 * 2;
        const std::int64_t window = 4 * 4 * 100 * 2 * 160 * 2;
        const std::int64_t latent = 1 * 4 * 4096 * 576 * 2;
        QCOMPARE(m->kvBytesPerStep.count(), full + window + latent);
        // A window of 100 tokens lies on at most 8 blocks of 16.
        QCOMPARE(line(*m, "pool").measured->count(), full + 4 * 4 * 8 * 16 * 2 * 160 * 2 + latent);
    }

    void fewerLayersWhenAskedFor()
    {
        MeasureRequest request = smallRequest();
        request.layersResident = 3;
        const auto m = measure(request);
        QVERIFY(m.has_value());
        QCOMPARE(m->layersResident, 3);
        QCOMPARE(m->layersTotal, 4);
        QCOMPARE(line(*m, "pool").measured->count(), 3 * 4 * 4096 * 2 * 128 * 2);
    }

    void autoTakesAsManyLayersAsFit()
    {
        MeasureRequest request = smallRequest();
        const auto one = previewAllocation(request);
        QVERIFY(one.has_value());
        QCOMPARE(one->layersResident, 4);
        request.shapes[0].layers = one->available.count() / (8 * mib) * 2;
        const auto preview = previewAllocation(request);
        QVERIFY(preview.has_value());
        QVERIFY(preview->layersResident > 4 && preview->layersResident < preview->layersTotal);
        const auto taken = preview->pool + preview->tables + preview->workspace + preview->margin;
        QVERIFY(taken <= preview->available);
        QVERIFY(taken + Bytes(8 * mib) > preview->available);
        QCOMPARE(preview->pool.count(), preview->layersResident * 8 * mib);
    }

    void refusesWhatDoesNotFitWithNumbers()
    {
        MeasureRequest request = smallRequest();
        request.sequences = 1'000'000;
        const auto refused = measure(request);
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().code, ErrorCode::OutOfMemory);
        QVERIFY(refused.error().what.find("GiB are available") != std::string::npos);
        QVERIFY(!refused.error().mend.empty());
    }

    void refusesBadRequests_data()
    {
        QTest::addColumn<int>("which");
        const char* names[] = {"no layers", "odd width", "heads that do not divide", "format without a kernel",
            "no sequences", "negative context", "no block", "no steps", "too many layers", "unknown device", "overflow",
            "wide latent values"};
        for (int i = 0; i < 12; ++i) {
            QTest::newRow(names[i]) << i;
        }
    }
    void refusesBadRequests()
    {
        QFETCH(int, which);
        MeasureRequest request = smallRequest();
        LayerShape& shape = request.shapes[0];
        switch (which) {
        case 0:
            request.shapes.clear();
            break;
        case 1:
            shape.keyDim = 60;
            break;
        case 2:
            shape.kvHeads = 3;
            break;
        case 3:
            request.format = CacheFormat::Nvfp4;
            break;
        case 4:
            request.sequences = 0;
            break;
        case 5:
            request.context = Tokens(-1);
            break;
        case 6:
            request.blockTokens = Tokens(0);
            break;
        case 7:
            request.steps = 0;
            break;
        case 8:
            request.layersResident = 5;
            break;
        case 9:
            request.device = "cuda:7";
            break;
        case 10:
            request.context = Tokens(INT64_MAX / 2);
            break;
        default:
            shape = {1, 16, 1, 64, 72, 0, true};
        }
        const auto refused = measure(request);
        QVERIFY(!refused.has_value());
        QVERIFY(!refused.error().what.empty() && !refused.error().mend.empty());
        QVERIFY(refused.error().code != ErrorCode::Cancelled);
    }

    void stopIsAnsweredAndMemoryGivenBack()
    {
        // Stops at each report in turn, until a run gets through.
        const std::int64_t before = addressSpace();
        bool finished = false;
        for (int stopAt = 1; stopAt < 100 && !finished; ++stopAt) {
            std::stop_source stop;
            int reports = 0;
            double last = 0;
            const auto m = measure(
                smallRequest(),
                [&](double share, const std::string& what) {
                    QVERIFY(share >= last && share <= 1 && !what.empty());
                    last = share;
                    if (++reports == stopAt) {
                        stop.request_stop();
                    }
                },
                stop.get_token());
            finished = m.has_value();
            if (!finished) {
                QCOMPARE(m.error().code, ErrorCode::Cancelled);
                QVERIFY(reports <= stopAt);
            }
            QVERIFY(addressSpace() - before < 30 * mib); // the cache alone is 32 MiB
        }
        QVERIFY(finished);
    }

    void refusalByTheSystemIsAnErrorAndLeavesNothing()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers need the address space that this test takes away");
#endif
        rlimit old{};
        getrlimit(RLIMIT_AS, &old);
        const std::int64_t before = addressSpace();
        rlimit low = old;
        low.rlim_cur = static_cast<rlim_t>(before + 150 * mib); // the probe's buffer fits, the cache does not
        setrlimit(RLIMIT_AS, &low);
        MeasureRequest request = smallRequest();
        request.sequences = 100;
        const auto m = measure(request);
        setrlimit(RLIMIT_AS, &old);
        QVERIFY(!m.has_value());
        QCOMPARE(m.error().code, ErrorCode::OutOfMemory);
        QVERIFY(addressSpace() - before < 30 * mib);
    }

    void jsonComesBackWhole()
    {
        MeasureRequest request = smallRequest();
        request.seed = 0xFFFFFFFFFFFFFFFF;
        request.layersResident = 2;
        auto m = measure(request);
        QVERIFY(m.has_value());
        m->memory.push_back({"a line with \"quotes\" and µ", std::nullopt, Bytes(INT64_MAX)});
        m->stepSamples.push_back(0.1 + 0.2);
        const std::string text = writeMeasurement(*m);
        const auto back = readMeasurement(text, "here");
        QVERIFY2(back.has_value(), back ? "" : back.error().sentence().c_str());
        QCOMPARE(writeMeasurement(*back), text);
        QCOMPARE(back->request.seed, request.seed);
        QCOMPARE(back->request.shapes.size(), request.shapes.size());
        QCOMPARE(back->request.shapes[0].queryHeads, 8);
        QCOMPARE(back->memory.back().name, m->memory.back().name);
        QVERIFY(!back->memory.back().predicted);
        QVERIFY(back->stepSamples == m->stepSamples);
        QCOMPARE(back->fractionOfRead, m->fractionOfRead);
        QCOMPARE(back->device.name, m->device.name);
        QCOMPARE(back->checkRelativeError, m->checkRelativeError);
    }

    void badJsonIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("cut off") << QByteArray("{\"device\": {");
        QTest::newRow("an array") << QByteArray("[]");
        QTest::newRow("a number") << QByteArray("3");
        QTest::newRow("no keys") << QByteArray("{}");
        QTest::newRow("wrong kind") << QByteArray("{\"device\": 3}");
        QTest::newRow("not text") << QByteArray("\xff\xfe\x00", 3);
    }
    void badJsonIsRefused()
    {
        QFETCH(QByteArray, text);
        const auto read = readMeasurement({text.data(), static_cast<std::size_t>(text.size())}, "m.json");
        QVERIFY(!read.has_value());
        QCOMPARE(read.error().code, ErrorCode::Syntax);
        QCOMPARE(read.error().where, std::string("m.json"));
    }

    void everyCutOfAMeasurementIsRefused()
    {
        MeasureRequest request = smallRequest();
        request.layersResident = 1;
        request.steps = 1;
        const auto m = measure(request);
        QVERIFY(m.has_value());
        const std::string text = writeMeasurement(*m);
        for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
            QVERIFY(!readMeasurement(std::string_view(text).substr(0, length), "cut").has_value());
        }
    }

    void requestOfTheWorkedExample()
    {
        const auto request = measureRequest(Scenario{});
        QVERIFY(request.has_value());
        QCOMPARE(request->sequences, 24);
        QCOMPARE(request->shapes.size(), std::size_t{1});
        QCOMPARE(request->shapes[0].layers, 32);
        QCOMPARE(request->shapes[0].queryHeads, 32);
        QCOMPARE(request->shapes[0].kvHeads, 8);
        const CacheLayout layout = cacheLayout(*request, 32);
        QCOMPARE(layout.pool.count(), std::int64_t{24} << 30); // exactly the plan's raw cache
        QCOMPARE(kvBytesPerStep(*request, layout).count(), std::int64_t{24} << 30);
    }

    void requestFollowsRanksAndReplicas()
    {
        Scenario scenario;
        scenario.tensorParallel = 16;
        scenario.replicas = 5;
        const auto request = measureRequest(scenario);
        QVERIFY(request.has_value());
        QCOMPARE(request->sequences, 5);
        QCOMPARE(request->shapes[0].queryHeads, 2);
        QCOMPARE(request->shapes[0].kvHeads, 1);
    }

    void requestOfLatentAndWindows()
    {
        Scenario latent;
        latent.mlaRank = 512;
        latent.mlaRopeDim = 64;
        const auto mla = measureRequest(latent);
        QVERIFY(mla.has_value());
        QVERIFY(mla->shapes[0].latent);
        QCOMPARE(mla->shapes[0].keyDim, 576);
        QCOMPARE(mla->shapes[0].valueDim, 512);
        Scenario windows;
        windows.windowTokens = 1024;
        windows.globalEvery = 4;
        const auto sliding = measureRequest(windows);
        QVERIFY(sliding.has_value());
        QCOMPARE(sliding->shapes.size(), std::size_t{2});
        QCOMPARE(totalLayers(sliding->shapes), 32);
    }

    void requestsItCannotRunAreNamed()
    {
        Scenario mixed;
        mixed.valueFormat = CacheFormat::Int8;
        QVERIFY(!measureRequest(mixed).has_value());
        Scenario noKernel;
        noKernel.keyFormat = noKernel.valueFormat = CacheFormat::Q8_0;
        QCOMPARE(measureRequest(noKernel).error().code, ErrorCode::Unsupported);
        Scenario recurrent;
        recurrent.model = Architecture{};
        recurrent.model->layers = 2;
        recurrent.model->queryHeads = 8;
        recurrent.model->groups = {{1, FullAttention{8, 64, 64, 0}}, {1, RecurrentState{1000, 10, 4, 2}}};
        const auto refused = measureRequest(recurrent);
        QVERIFY(!refused.has_value());
        QVERIFY(refused.error().what.find("recurrent state") != std::string::npos);
    }

    void layersAreSharedInProportion()
    {
        const std::vector<LayerShape> shapes{{10, 1, 1, 8, 8, 0, false}, {50, 1, 1, 8, 8, 9, false}};
        for (std::int64_t count = 1; count <= 60; ++count) {
            const auto share = shareLayers(shapes, count);
            QCOMPARE(share[0] + share[1], count);
            QVERIFY(std::abs(static_cast<double>(share[0]) - static_cast<double>(count) / 6) < 1);
            QVERIFY(share[0] <= 10 && share[1] <= 50);
        }
    }

    void deviceIsTheCpu()
    {
        QCOMPARE(devices().front().id, std::string("cpu"));
        QVERIFY(devices().front().available.count() > 0);
    }
};

QTEST_APPLESS_MAIN(TestMeasure)
#include "tst_measure.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/group_bytes.h"
#include "core/catalogue/accelerator_json.h"
#include "core/catalogue/catalogue.h"
#include "core/model/architecture_json.h"
#include "core/model/weights.h"

#include <QFile>
#include <QSet>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace kvplan;
using nlohmann::json;

namespace {

std::string resource(const char* name)
{
    QFile file(QString("%1/%2").arg(KVPLAN_RESOURCES, name));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

const Catalogue& catalogue()
{
    static const auto parsed = Catalogue::parse(resource("models.json"), resource("accelerators.json"));
    return parsed.value();
}

/// A catalogue of cards with these names.
Catalogue cards(std::initializer_list<const char*> names)
{
    json list = json::array();
    for (const char* name : names) {
        list.push_back({{"name", name}, {"capacity_bytes", 1}});
    }
    return Catalogue::parse(R"({"models": []})", json{{"accelerators", list}}.dump()).value();
}

std::int64_t bytesPerToken(const Architecture& architecture)
{
    std::int64_t bytes = 0;
    for (const AttentionGroup& group : architecture.groups) {
        bytes += layerCost(group.kind, {}, {}).perToken.count() * group.layers;
    }
    return bytes;
}

} // namespace

class TestCatalogue : public QObject {
    Q_OBJECT

private slots:
    void isLargeAndItsNamesAreUnique();
    void modelsHoldTogether_data();
    void modelsHoldTogether();
    void knownModels_data();
    void knownModels();
    void cardsHoldTogether_data();
    void cardsHoldTogether();
    void capacities_data();
    void capacities();
    void findsCards_data();
    void findsCards();
    void listsSeveral();
    void takesAnExactNameAmongLongerOnes();
    void findsModels_data();
    void findsModels();
    void refusesBadText_data();
    void refusesBadText();
    void cardsSurviveTheRoundTrip();
    void refusesBadCards_data();
    void refusesBadCards();
};

void TestCatalogue::isLargeAndItsNamesAreUnique()
{
    QVERIFY(catalogue().models().size() >= 60);
    QVERIFY(catalogue().accelerators().size() >= 40);
}

void TestCatalogue::modelsHoldTogether_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < catalogue().models().size(); ++i) {
        QTest::newRow(catalogue().models()[i].name.c_str()) << int(i);
    }
}

void TestCatalogue::modelsHoldTogether()
{
    QFETCH(int, index);
    const Architecture& model = catalogue().models()[std::size_t(index)];
    QVERIFY(!model.source.empty());
    QVERIFY(model.activeParameters.value_or(0) <= model.parameters.value_or(std::numeric_limits<std::int64_t>::max()));
    QVERIFY(std::ranges::count(weightFormats(), std::string_view(model.weightFormat)) == 1);
    for (const AttentionGroup& group : model.groups) {
        QVERIFY(group.layers <= model.layers);
        if (const auto* full = std::get_if<FullAttention>(&group.kind)) {
            QVERIFY(model.queryHeads == 0 || model.queryHeads % full->kvHeads == 0);
        }
    }
    const auto back = architectureFromJson(toJson(model), "model");
    QVERIFY(back && *back == model);
    const auto found = catalogue().findModel(model.name);
    QVERIFY2(found, found ? "" : found.error().sentence().c_str());
    QCOMPARE(found->name, model.name);
}

void TestCatalogue::knownModels_data()
{
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("Meta-Llama-3.1-8B") << qint64(131072);
    QTest::newRow("Llama-2-7b-hf") << qint64(524288);
    QTest::newRow("DeepSeek-V3") << qint64(70272);
    QTest::newRow("DeepSeek-V3.2") << qint64(78324);
    QTest::newRow("GLM-5") << qint64(100152);
    QTest::newRow("gpt-oss-20b") << qint64(49152);
    QTest::newRow("gemma-4-31B") << qint64(81920 + 819200);
}

void TestCatalogue::knownModels()
{
    QFETCH(qint64, bytes);
    const auto model = catalogue().findModel(QTest::currentDataTag());
    QVERIFY(model);
    QCOMPARE(qint64(bytesPerToken(*model)), bytes);
}

void TestCatalogue::cardsHoldTogether_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < catalogue().accelerators().size(); ++i) {
        QTest::newRow(catalogue().accelerators()[i].name.c_str()) << int(i);
    }
}

void TestCatalogue::cardsHoldTogether()
{
    QFETCH(int, index);
    const Accelerator& card = catalogue().accelerators()[std::size_t(index)];
    QVERIFY(!card.source.empty() && !card.capacitySource.empty());
    QVERIFY(card.bandwidthBytesPerSecond > 1e10);
    QVERIFY(gib(card.capacity) > 0.7 * card.marketedGb * 1e9 / double(bytesPerGib));
    QVERIFY(gib(card.capacityHigh) <= card.marketedGb + 3);
    if (card.driverBytes.count() > 0) {
        QVERIFY(card.capacity < card.driverBytes);
    }
    if (card.capacityBasis == Basis::Estimated) {
        QVERIFY(card.capacityLow < card.capacity && card.capacity < card.capacityHigh);
    }
    const auto found = catalogue().findAccelerator(card.name);
    QVERIFY(found && *found == card);
}

void TestCatalogue::capacities_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("capacity");
    QTest::addColumn<double>("high");
    QTest::addColumn<QString>("basis");
    QTest::newRow("H100 SXM5 80GB") << 79.10 << 79.18 << 79.33 << "measured";
    QTest::newRow("RTX 3090") << 23.575 << 23.58 << 23.585 << "measured";
    const double l4 = 23034.0 / 1024;
    QTest::newRow("L4") << l4 - 0.9 << l4 - 0.5 << l4 - 0.3 << "estimated";
}

void TestCatalogue::capacities()
{
    QFETCH(double, low);
    QFETCH(double, capacity);
    QFETCH(double, high);
    QFETCH(QString, basis);
    const auto card = catalogue().findAccelerator(QTest::currentDataTag());
    QVERIFY(card);
    QVERIFY(std::abs(gib(card->capacityLow) - low) < 1e-6);
    QVERIFY(std::abs(gib(card->capacity) - capacity) < 1e-6);
    QVERIFY(std::abs(gib(card->capacityHigh) - high) < 1e-6);
    QCOMPARE(QString::fromUtf8(name(card->capacityBasis).data()), basis);
}

void TestCatalogue::findsCards_data()
{
    QTest::addColumn<QString>("found");
    const auto row = [](const char* query, const char* found) { QTest::newRow(query) << found; };
    row("H100 SXM", "H100 SXM5 80GB");
    row("h100sxm580gb", "H100 SXM5 80GB");
    row("H100-SXM5-80GB", "H100 SXM5 80GB");
    row("h100 pcie", "H100 PCIe 80GB");
    row("rtx 4090", "RTX 4090");
    row("l40s", "L40S");
    row("L40", "L40");
    row("sxm h100", "");
    row("100 sxm", "");
    row("", "");
    row("  --  ", "");
    row("TPU v9", "");
}

void TestCatalogue::findsCards()
{
    QFETCH(QString, found);
    const auto card = catalogue().findAccelerator(QTest::currentDataTag());
    QCOMPARE(card ? QString::fromStdString(card->name) : QString(), found);
    QVERIFY(card || card.error().code == ErrorCode::NotFound);
}

void TestCatalogue::listsSeveral()
{
    const auto card = cards({"A100 40GB", "A100 80GB", "H100"}).findAccelerator("a100");
    QVERIFY(!card && card.error().code == ErrorCode::Ambiguous);
    QVERIFY(card.error().mend.find("A100 40GB, A100 80GB") != std::string::npos);
    QVERIFY(card.error().mend.find("H100") == std::string::npos);
}

void TestCatalogue::takesAnExactNameAmongLongerOnes()
{
    const Catalogue some = cards({"A100 X", "A 100", "A100 Y"});
    QCOMPARE(some.findAccelerator("a100")->name, std::string("A 100"));
}

void TestCatalogue::findsModels_data()
{
    QTest::addColumn<QString>("found");
    QTest::newRow("llama 3.1 8b") << "Meta-Llama-3.1-8B";
    QTest::newRow("metallama318b") << "Meta-Llama-3.1-8B";
    QTest::newRow("qwen3-8b") << "Qwen3-8B";
    QTest::newRow("deepseek v3") << "DeepSeek-V3";
    QTest::newRow("gpt oss 120b") << "gpt-oss-120b";
}

void TestCatalogue::findsModels()
{
    QFETCH(QString, found);
    const auto model = catalogue().findModel(QTest::currentDataTag());
    QVERIFY2(model, model ? "" : model.error().sentence().c_str());
    QCOMPARE(QString::fromStdString(model->name), found);
}

void TestCatalogue::refusesBadText_data()
{
    QTest::addColumn<std::string>("models");
    QTest::addColumn<std::string>("accelerators");
    const std::string none = R"({"models": []})";
    const std::string card = R"({"name": "A", "capacity_bytes": 1})";
    QTest::newRow("no JSON") << std::string("x") << std::string("{}");
    QTest::newRow("no list") << none << std::string("{}");
    QTest::newRow("a list of numbers") << none << std::string(R"({"accelerators": [1]})");
    QTest::newRow("one name twice") << none << R"({"accelerators": [)" + card + "," + card + "]}";
    QTest::newRow("a model without groups")
        << std::string(R"({"models": [{"name": "m", "layers": 1}]})") << std::string(R"({"accelerators": []})");
}

void TestCatalogue::refusesBadText()
{
    QFETCH(std::string, models);
    QFETCH(std::string, accelerators);
    QVERIFY(!Catalogue::parse(models, accelerators));
}

void TestCatalogue::cardsSurviveTheRoundTrip()
{
    for (const Accelerator& card : catalogue().accelerators()) {
        const auto back = acceleratorFromJson(json::parse(toJson(card).dump()), "card");
        QVERIFY(back && *back == card);
    }
}

void TestCatalogue::refusesBadCards_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::newRow("no name") << "name"
                             << "null";
    QTest::newRow("name that is no text") << "name"
                                          << "7";
    QTest::newRow("no memory") << "capacity_bytes"
                               << "0";
    QTest::newRow("negative memory") << "capacity_bytes"
                                     << "-1";
    QTest::newRow("half a byte") << "capacity_bytes"
                                 << "0.5";
    QTest::newRow("outside its band") << "capacity_low_bytes"
                                      << "200";
    QTest::newRow("a basis nobody knows") << "capacity_basis"
                                          << "\"guessed\"";
    QTest::newRow("negative bandwidth") << "bandwidth_bytes_per_s"
                                        << "-1";
    QTest::newRow("rate as text") << "bf16_flops_per_s"
                                  << "\"fast\"";
}

void TestCatalogue::refusesBadCards()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    json object{{"name", "card"}, {"capacity_bytes", 100}};
    QVERIFY(acceleratorFromJson(object, "card"));
    object[key.toStdString()] = json::parse(value.toStdString());
    const auto back = acceleratorFromJson(object, "card");
    QVERIFY(!back);
    QCOMPARE(QString::fromStdString(back.error().where).section('.', 0, 0), QString("card"));
}

QTEST_GUILESS_MAIN(TestCatalogue)
#include "tst_catalogue.moc"

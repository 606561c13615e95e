// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/accelerator_json.h"

#include "core/json_reader.h"

#include <algorithm>
#include <array>

namespace kvplan {

using nlohmann::json;

namespace {

constexpr std::int64_t mostBytes = std::int64_t{1} << 50;
constexpr double mostRate = 1e20;
constexpr std::array bases{Basis::Known, Basis::Computed, Basis::Estimated, Basis::Measured};

struct Rate {
    const char* key;
    double Accelerator::*member;
};
constexpr std::array<Rate, 5> rates{{
    {"bandwidth_bytes_per_s", &Accelerator::bandwidthBytesPerSecond},
    {"bf16_flops_per_s", &Accelerator::bf16FlopsPerSecond},
    {"fp16_flops_per_s", &Accelerator::fp16FlopsPerSecond},
    {"fp8_flops_per_s", &Accelerator::fp8FlopsPerSecond},
    {"int8_ops_per_s", &Accelerator::int8OpsPerSecond},
}};

} // namespace

json toJson(const Accelerator& accelerator)
{
    json object{
        {"name", accelerator.name},
        {"vendor", accelerator.vendor},
        {"architecture", accelerator.architecture},
        {"marketed_gb", accelerator.marketedGb},
        {"capacity_bytes", accelerator.capacity.count()},
        {"capacity_low_bytes", accelerator.capacityLow.count()},
        {"capacity_high_bytes", accelerator.capacityHigh.count()},
        {"capacity_basis", name(accelerator.capacityBasis)},
        {"capacity_source", accelerator.capacitySource},
        {"source", accelerator.source},
    };
    if (accelerator.driverBytes.count() > 0) {
        object["driver_bytes"] = accelerator.driverBytes.count();
    }
    for (const Rate& rate : rates) {
        if (accelerator.*rate.member > 0) {
            object[rate.key] = accelerator.*rate.member;
        }
    }
    return object;
}

Result<Accelerator> acceleratorFromJson(const json& object, std::string_view where)
{
    JsonReader reader(object, where);
    Accelerator accelerator;
    accelerator.name = reader.text("name");
    accelerator.vendor = reader.text("vendor", "");
    accelerator.architecture = reader.text("architecture", "");
    accelerator.marketedGb = reader.real("marketed_gb", 0, 1e6, 0);
    accelerator.driverBytes = Bytes(reader.integer("driver_bytes", 1, mostBytes, 0));
    accelerator.capacity = Bytes(reader.integer("capacity_bytes", 1, mostBytes));
    accelerator.capacityLow = Bytes(reader.integer("capacity_low_bytes", 1, mostBytes, accelerator.capacity.count()));
    accelerator.capacityHigh = Bytes(reader.integer("capacity_high_bytes", 1, mostBytes, accelerator.capacity.count()));
    if (accelerator.capacityLow > accelerator.capacity || accelerator.capacity > accelerator.capacityHigh) {
        reader.fail("capacity_bytes", "it lies outside its own band");
    }
    const std::string basis = reader.text("capacity_basis", name(Basis::Estimated));
    const auto* found = std::ranges::find(bases, basis, [](Basis b) { return name(b); });
    if (found == bases.end()) {
        reader.fail("capacity_basis", "it is not known, computed, estimated or measured");
    } else {
        accelerator.capacityBasis = *found;
    }
    accelerator.capacitySource = reader.text("capacity_source", "");
    accelerator.source = reader.text("source", "");
    for (const Rate& rate : rates) {
        accelerator.*rate.member = reader.real(rate.key, 0, mostRate, 0);
    }
    if (reader.error()) {
        return tl::unexpected<Error>(*reader.error());
    }
    return accelerator;
}

} // namespace kvplan

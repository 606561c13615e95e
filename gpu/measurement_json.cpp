// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/measurement.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace kvplan {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const std::optional<Bytes>& bytes)
{
    return bytes ? Json(bytes->count()) : Json(nullptr);
}

/// JSON has no word for what is not a number: null.
Json toJson(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

double realFrom(const Json& json)
{
    return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

Bytes bytesFrom(const Json& json)
{
    return Bytes(json.get<std::int64_t>());
}

std::optional<Bytes> optionalBytesFrom(const Json& json)
{
    return json.is_null() ? std::nullopt : std::optional(bytesFrom(json));
}

Json shapeJson(const MeasureRequest& request)
{
    Json groups = Json::array();
    for (const LayerShape& shape : request.shapes) {
        groups.push_back({{"layers", shape.layers}, {"query_heads", shape.queryHeads}, {"kv_heads", shape.kvHeads},
            {"k_head_dim", shape.keyDim}, {"v_head_dim", shape.valueDim}, {"window_tokens", shape.windowTokens},
            {"latent", shape.latent}});
    }
    return {{"kv_format", std::string(name(request.format))}, {"block_tokens", request.blockTokens.count()},
        {"context_tokens", request.context.count()}, {"sequences", request.sequences}, {"groups", groups}};
}

Json memoryJson(const Measurement& m)
{
    Json lines = Json::array();
    for (const MemoryLine& line : m.memory) {
        lines.push_back({{"name", line.name}, {"predicted_bytes", toJson(line.predicted)},
            {"measured_bytes", toJson(line.measured)}});
    }
    return {{"predicted_bytes", m.predictedBytes.count()}, {"allocated_bytes", m.allocatedBytes.count()},
        {"device_used_bytes", m.deviceUsedBytes.count()}, {"relative_error", toJson(m.memoryRelativeError)},
        {"lines", lines}};
}

Json decodeJson(const Measurement& m)
{
    return {{"step_s",
                {{"median", toJson(m.stepSeconds.median)}, {"p10", toJson(m.stepSeconds.p10)},
                    {"p90", toJson(m.stepSeconds.p90)}}},
        {"kv_bytes_per_step", m.kvBytesPerStep.count()}, {"flops_per_step", m.flopsPerStep},
        {"bandwidth_bytes_per_s", toJson(m.bandwidthBytesPerSecond)}, {"fraction_of_read", toJson(m.fractionOfRead)},
        {"kernel_flops_per_s", toJson(m.kernelFlopsPerSecond)}, {"predicted_step_s", toJson(m.predictedStepSeconds)},
        {"predicted_max_step_s", toJson(m.predictedMaxStepSeconds)}, {"step_samples_s", m.stepSamples}};
}

Json checkJson(const Measurement& m)
{
    if (m.checkReference.empty()) {
        return nullptr;
    }
    return {{"reference", m.checkReference}, {"relative_error", toJson(m.checkRelativeError)},
        {"tolerance", toJson(m.checkTolerance)}, {"passed", m.checkPassed}, {"sequences", m.sequencesChecked}};
}

MeasureRequest requestFrom(const Json& shape, const Json& request)
{
    MeasureRequest r;
    const auto format = cacheFormatFromName(shape.at("kv_format").get<std::string>());
    if (!format) {
        throw std::invalid_argument(format.error().what);
    }
    r.format = *format;
    r.blockTokens = Tokens(shape.at("block_tokens").get<std::int64_t>());
    r.context = Tokens(shape.at("context_tokens").get<std::int64_t>());
    r.sequences = shape.at("sequences").get<std::int64_t>();
    for (const Json& group : shape.at("groups")) {
        r.shapes.push_back({group.at("layers").get<std::int64_t>(), group.at("query_heads").get<std::int64_t>(),
            group.at("kv_heads").get<std::int64_t>(), group.at("k_head_dim").get<std::int64_t>(),
            group.at("v_head_dim").get<std::int64_t>(), group.at("window_tokens").get<std::int64_t>(),
            group.at("latent").get<bool>()});
    }
    r.device = request.at("device").get<std::string>();
    const Json& layers = request.at("layers_resident");
    r.layersResident = layers.is_null() ? std::nullopt : std::optional(layers.get<std::int64_t>());
    r.steps = request.at("steps").get<std::int64_t>();
    r.verify = request.at("verify").get<bool>();
    r.seed = request.at("seed").get<std::uint64_t>();
    return r;
}

void readDevice(Measurement& m, const Json& device)
{
    m.device = {device.at("id").get<std::string>(), device.at("name").get<std::string>(),
        device.at("kind").get<std::string>(), bytesFrom(device.at("memory_bytes")),
        bytesFrom(device.at("available_bytes"))};
    m.threads = device.at("threads").get<int>();
    m.copyBytesPerSecond = realFrom(device.at("copy_bytes_per_s"));
    m.readBytesPerSecond = realFrom(device.at("read_bytes_per_s"));
    m.fmaFlopsPerSecond = realFrom(device.at("fma_flops_per_s"));
}

void readMemory(Measurement& m, const Json& memory)
{
    m.predictedBytes = bytesFrom(memory.at("predicted_bytes"));
    m.allocatedBytes = bytesFrom(memory.at("allocated_bytes"));
    m.deviceUsedBytes = bytesFrom(memory.at("device_used_bytes"));
    m.memoryRelativeError = realFrom(memory.at("relative_error"));
    for (const Json& line : memory.at("lines")) {
        m.memory.push_back({line.at("name").get<std::string>(), optionalBytesFrom(line.at("predicted_bytes")),
            optionalBytesFrom(line.at("measured_bytes"))});
    }
}

void readDecode(Measurement& m, const Json& decode)
{
    const Json& step = decode.at("step_s");
    m.stepSeconds = {realFrom(step.at("median")), realFrom(step.at("p10")), realFrom(step.at("p90"))};
    m.kvBytesPerStep = bytesFrom(decode.at("kv_bytes_per_step"));
    m.flopsPerStep = decode.at("flops_per_step").get<std::int64_t>();
    m.bandwidthBytesPerSecond = realFrom(decode.at("bandwidth_bytes_per_s"));
    m.fractionOfRead = realFrom(decode.at("fraction_of_read"));
    m.kernelFlopsPerSecond = realFrom(decode.at("kernel_flops_per_s"));
    m.predictedStepSeconds = realFrom(decode.at("predicted_step_s"));
    m.predictedMaxStepSeconds = realFrom(decode.at("predicted_max_step_s"));
    m.stepSamples = decode.at("step_samples_s").get<std::vector<double>>();
}

void readCheck(Measurement& m, const Json& check)
{
    if (check.is_null()) {
        return;
    }
    m.checkReference = check.at("reference").get<std::string>();
    m.checkRelativeError = realFrom(check.at("relative_error"));
    m.checkTolerance = realFrom(check.at("tolerance"));
    m.checkPassed = check.at("passed").get<bool>();
    m.sequencesChecked = check.at("sequences").get<std::int64_t>();
}

} // namespace

std::string writeMeasurement(const Measurement& m)
{
    const MeasureRequest& r = m.request;
    const Json json{
        {"device",
            {{"id", m.device.id}, {"name", m.device.name}, {"kind", m.device.kind},
                {"memory_bytes", m.device.memory.count()}, {"available_bytes", m.device.available.count()},
                {"threads", m.threads}, {"copy_bytes_per_s", toJson(m.copyBytesPerSecond)},
                {"read_bytes_per_s", toJson(m.readBytesPerSecond)}, {"fma_flops_per_s", toJson(m.fmaFlopsPerSecond)}}},
        {"date", m.date},
        {"build", m.build},
        {"shape", shapeJson(r)},
        {"request",
            {{"device", r.device}, {"layers_resident", r.layersResident ? Json(*r.layersResident) : Json(nullptr)},
                {"steps", r.steps}, {"verify", r.verify}, {"seed", r.seed}}},
        {"layers_resident", m.layersResident},
        {"layers_total", m.layersTotal},
        {"memory", memoryJson(m)},
        {"decode", decodeJson(m)},
        {"check", checkJson(m)},
        {"live", nullptr},
    };
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Measurement> readMeasurement(std::string_view text, std::string_view where)
{
    try {
        const Json json = Json::parse(text);
        Measurement m;
        readDevice(m, json.at("device"));
        m.date = json.at("date").get<std::string>();
        m.build = json.at("build").get<std::string>();
        m.request = requestFrom(json.at("shape"), json.at("request"));
        m.layersResident = json.at("layers_resident").get<std::int64_t>();
        m.layersTotal = json.at("layers_total").get<std::int64_t>();
        readMemory(m, json.at("memory"));
        readDecode(m, json.at("decode"));
        readCheck(m, json.at("check"));
        return m;
    } catch (const Json::parse_error& error) {
        return failure(ErrorCode::Syntax, fmt::format("byte {} is not JSON", error.byte), std::string(where),
            "give a file that `kvplan measure --json` wrote");
    } catch (const std::exception& error) {
        std::string reason = error.what(); // "[json.exception.out_of_range.403] key 'device' not found"
        reason.erase(0, reason.find("] ") == std::string::npos ? 0 : reason.find("] ") + 2);
        return failure(ErrorCode::Syntax, fmt::format("this is not a measurement ({})", reason), std::string(where),
            "give a file that `kvplan measure --json` wrote");
    }
}

} // namespace kvplan

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/log/check_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace kvplan {

namespace {

/// Costs: the rank that spends most binds.
constexpr std::array<std::string_view, 6> costs{{"weights_bytes", "activation_bytes", "non_torch_bytes", "graphs_bytes",
    "peak_torch_bytes", "state_padding_percent"}};

LogFigures observedIn(const EngineLog& log)
{
    LogFigures observed;
    for (const auto& [place, figure] : log.figures) {
        const auto [found, fresh] = observed.emplace(place.first, figure);
        const bool cost = std::ranges::find(costs, place.first) != costs.end();
        if (!fresh && (cost ? figure.value > found->second.value : figure.value < found->second.value)) {
            found->second = figure;
        }
    }
    return observed;
}

/// Reads and predicts by name.
class Checker {
public:
    explicit Checker(LogCheck& check)
        : m_check(check)
    {
    }

    std::optional<LoggedFigure> seen(const std::string& key) const
    {
        const auto found = m_check.observed.find(key);
        return found == m_check.observed.end() ? std::nullopt : std::optional(found->second);
    }

    void predict(const std::string& key, const LoggedFigure& figure)
    {
        if (m_check.predicted.emplace(key, figure).second) {
            if (const auto observed = seen(key)) {
                const bool agrees = figure.low <= observed->high && observed->low <= figure.high;
                const double error
                    = observed->value != 0 ? (figure.value - observed->value) / observed->value : figure.value;
                m_check.residuals.push_back({key, figure, *observed, error, agrees});
            }
        }
    }

    void predict(const std::string& key, std::int64_t low, std::int64_t high)
    {
        const auto [least, most] = std::minmax({static_cast<double>(low), static_cast<double>(high)});
        predict(key, {(least + most) / 2, least, most});
    }

    void inconsistent(std::string clause) { m_check.inconsistencies.push_back(std::move(clause)); }

private:
    LogCheck& m_check;
};

LoggedFigure exact(double value)
{
    return {value, value, value};
}

LoggedFigure product(const LoggedFigure& a, const LoggedFigure& b)
{
    return {a.value * b.value, a.low * b.low, a.high * b.high};
}

LoggedFigure difference(const LoggedFigure& a, const LoggedFigure& b)
{
    return {a.value - b.value, a.low - b.high, a.high - b.low};
}

/// What adds up whatever the model.
void predictIdentities(Checker& checker)
{
    const auto blocks = checker.seen("pool_blocks");
    const auto block = checker.seen("block_tokens");
    if (blocks && block && checker.seen("kv_tokens") && !checker.seen("state_padding_percent")) {
        checker.predict("kv_tokens", product(*blocks, *block));
    }
    const auto total = checker.seen("total_bytes");
    const auto fraction = checker.seen("memory_fraction");
    const auto other = checker.seen("non_torch_bytes");
    if (total && fraction && other) {
        const LoggedFigure usable = product(*total, exact(fraction->value));
        const auto peak = checker.seen("peak_torch_bytes"); // holds the weights
        const auto weights = checker.seen("weights_bytes");
        const auto activation = checker.seen("activation_bytes");
        if (peak) {
            checker.predict("kv_pool_bytes", difference(difference(usable, *peak), *other));
        } else if (weights && activation) {
            checker.predict("kv_pool_bytes", difference(difference(difference(usable, *weights), *activation), *other));
        }
    }
    const auto tokens = checker.seen("kv_tokens");
    const auto length = checker.seen("max_model_len");
    // Of a hybrid the two lines count different things.
    if (tokens && length && length->value > 0 && checker.seen("max_concurrency")
        && !checker.seen("state_padding_percent") && !checker.seen("padding_layers_percent")) {
        checker.predict("max_concurrency", exact(tokens->value / length->value));
    }
}

void predictFromPool(Checker& checker, const AccountBand& band)
{
    for (const EngineFigure& figure : band.low.figures) {
        const auto high = std::ranges::find(band.high.figures, figure.key, &EngineFigure::key);
        if (high != band.high.figures.end()) {
            checker.predict(figure.key, figure.value, high->value);
        }
    }
    checker.predict("kv_tokens", band.low.reportedTokens.count(), band.high.reportedTokens.count());
    checker.predict("max_concurrency",
        {(band.low.reportedConcurrency + band.high.reportedConcurrency) / 2, band.low.reportedConcurrency,
            band.high.reportedConcurrency});
}

/// SGLang's tensors: bytes of a token · (tokens + a page).
void predictTensors(Checker& checker, const EngineAccount& account, Tokens page)
{
    const auto tensors = [&](const std::string& prefix, const std::string& tokensKey, Tokens tokens) {
        const auto logged = checker.seen(tokensKey);
        for (const EngineFigure& figure : account.figures) {
            const bool its = figure.key == prefix + "k_bytes" || figure.key == prefix + "v_bytes"
                || figure.key == prefix + "kv_bytes";
            if (logged && its) {
                const double each = static_cast<double>(figure.value) / static_cast<double>((tokens + page).count());
                checker.predict(
                    figure.key, exact(std::round(each) * (logged->value + static_cast<double>(page.count()))));
            }
        }
    };
    tensors("", "kv_tokens", account.reportedTokens);
    for (const EngineFigure& figure : account.figures) {
        if (figure.key == "window_tokens") {
            tensors("window_", "window_tokens", Tokens(figure.value));
        }
    }
}

/// Counts and lengths of the launch that the log names.
LogSubject launched(LogSubject subject, const Checker& checker)
{
    const auto take = [&](const char* key, auto&& put) {
        if (const auto figure = checker.seen(key); figure && figure->value >= 1 && figure->value < 0x1p53) {
            put(static_cast<std::int64_t>(figure->value));
        }
    };
    take("max_model_len", [&](std::int64_t v) { subject.setup.maxModelLen = Tokens(v); });
    take("sequences", [&](std::int64_t v) { subject.setup.maxSequences = v; });
    take("micro_batch_tokens", [&](std::int64_t v) { subject.setup.llamaCpp.microBatch = Tokens(v); });
    take("context_tokens", [&](std::int64_t v) { subject.setup.llamaCpp.contextTokens = Tokens(v); });
    if (!subject.setup.llamaCpp.contextTokens) {
        take("cells", [&](std::int64_t v) { subject.setup.llamaCpp.contextTokens = Tokens(v); });
    }
    if (subject.setup.maxModelLen.count() < 1) {
        subject.setup.maxModelLen = Tokens(1);
    }
    return subject;
}

Result<void> predictByRules(
    Checker& checker, const EngineRules& rules, const EngineVersion& version, const LogSubject& given)
{
    LogSubject subject = launched(given, checker);
    const auto pool = checker.seen("kv_pool_bytes");
    const auto tokens = checker.seen("kv_tokens");
    if (rules.name == "vllm" && pool) {
        const auto band = accountBand(rules, version, subject, *pool);
        if (!band) {
            return tl::unexpected(band.error());
        }
        predictFromPool(checker, *band);
        return {};
    }
    subject.setup.pool = Bytes(std::int64_t{1} << 50);
    if (rules.name == "tensorrt-llm") {
        if (!tokens || tokens->value >= 0x1p53) {
            return {};
        }
        subject.setup.tensorRt.maxTokens = Tokens(static_cast<std::int64_t>(tokens->value));
        if (const auto block = checker.seen("block_tokens"); block && block->value < 0x1p31) {
            subject.setup.blockTokens = Tokens(static_cast<std::int64_t>(block->value));
        }
    }
    const auto account = rules.account(subject.architecture, subject.setup, version);
    if (!account) {
        return tl::unexpected(account.error());
    }
    if (rules.name == "sglang") {
        predictTensors(checker, *account, subject.setup.blockTokens.value_or(Tokens(1)));
        return {};
    }
    for (const EngineFigure& figure : account->figures) {
        checker.predict(figure.key, figure.value, figure.value);
    }
    return {};
}

void nameDisagreements(LogCheck& check, Checker& checker)
{
    for (const LogResidual& residual : check.residuals) {
        if (residual.agrees) {
            continue;
        }
        const bool fewer = residual.observed.value < residual.predicted.value;
        if (residual.name == "kv_tokens" && fewer) {
            checker.inconsistent(fmt::format("{:.0f} tokens fill {:.1f} % of the pool the log names: another rank's "
                                             "pool, whose line is not here, binds",
                residual.observed.value, 100 * residual.observed.value / residual.predicted.value));
        } else if (residual.name == "kv_tokens") {
            checker.inconsistent(
                fmt::format("{:.0f} tokens need {:.1f} % of the pool the log names: the lines belong to "
                            "different ranks or launches, or the model is another",
                    residual.observed.value, 100 * residual.observed.value / residual.predicted.value));
        } else {
            checker.inconsistent(fmt::format("{}: the log says {:.6g} and the rest of it comes to {:.6g}",
                residual.name, residual.observed.value, residual.predicted.value));
        }
    }
    const auto pool = checker.seen("kv_pool_bytes");
    const auto total = checker.seen("total_bytes");
    if (pool && total && pool->low > total->high) {
        checker.inconsistent(fmt::format("the cache's {:.2f} GiB are more than the card's {:.2f} GiB",
            pool->value / bytesPerGib, total->value / bytesPerGib));
    }
}

} // namespace

Result<AccountBand> accountBand(
    const EngineRules& rules, const EngineVersion& version, LogSubject subject, const LoggedFigure& pool)
{
    if (!(std::abs(pool.high) < 0x1p62)) {
        return failure(ErrorCode::InvalidValue, "the pool the log names is beyond any card", "kv_pool_bytes",
            "check the log's line");
    }
    subject.setup.pool = Bytes(static_cast<std::int64_t>(std::floor(pool.low)));
    auto low = rules.account(subject.architecture, subject.setup, version);
    if (!low) {
        return tl::unexpected(low.error());
    }
    subject.setup.pool = Bytes(static_cast<std::int64_t>(std::ceil(pool.high)));
    auto high = rules.account(subject.architecture, subject.setup, version);
    if (!high) {
        return tl::unexpected(high.error());
    }
    return AccountBand{std::move(*low), std::move(*high)};
}

Result<LogCheck> checkLog(const EngineLog& log, const LogSubject* subject)
{
    return guarded("the check of a log", [&]() -> Result<LogCheck> {
        const EngineRules* rules = findEngineRules(log.engine);
        if (!rules) {
            return failure(ErrorCode::Unsupported, "no rules are known for the log's engine", log.engine,
                "give a log of vLLM, SGLang, TensorRT-LLM or llama.cpp");
        }
        LogCheck check;
        check.engine = log.engine;
        check.version = log.version;
        check.observed = observedIn(log);
        check.notes = log.warnings;
        const ChosenVersion chosen = chooseVersion(*rules, log.version);
        if (log.version.empty()) {
            check.notes.push_back(
                fmt::format("the log names no version: the rules of {} stand in", text(chosen.version)));
        } else if (!chosen.note.empty()) {
            check.notes.push_back(chosen.note);
        }
        Checker checker(check);
        if (subject) {
            if (auto done = predictByRules(checker, *rules, chosen.version, *subject); !done) {
                return tl::unexpected(done.error());
            }
        }
        predictIdentities(checker);
        nameDisagreements(check, checker);
        const auto total = checker.seen("total_bytes");
        const auto fraction = checker.seen("memory_fraction");
        const auto weights = checker.seen("weights_bytes");
        const auto pool = checker.seen("kv_pool_bytes");
        if (total && fraction && weights && pool) {
            check.calibration["overhead_bytes"]
                = difference(difference(product(*total, exact(fraction->value)), *weights), *pool);
        }
        return check;
    });
}

} // namespace kvplan

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/decode_kernel.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

// Arrays of vectors need vectors of a known size.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#define HWY_COMPILE_ALL_ATTAINABLE
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gpu/host/decode_kernel.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/cache_control.h>
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kvplan {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D> using Vec = hn::Vec<D>;

template <class D> HWY_INLINE Vec<D> loadElements(D d, const float* at)
{
    return hn::LoadU(d, at);
}

template <class D, class T> HWY_INLINE Vec<D> loadElements(D d, const T* at) // bf16 and fp16
{
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D>(), at));
}

template <class D> HWY_INLINE Vec<D> loadElements(D d, const std::int8_t* at)
{
    const hn::Rebind<std::int32_t, D> d32;
    return hn::ConvertTo(d, hn::PromoteTo(d32, hn::LoadU(hn::Rebind<std::int8_t, D>(), at)));
}

/// The cache lines that will be read next, asked for one by one between the multiplications.
class Ahead {
public:
    Ahead() = default;
    Ahead(const std::byte* at, std::int64_t bytes)
        : m_at(at)
        , m_end(at + bytes)
    {
    }

    template <int Lines> HWY_INLINE void step()
    {
        if (m_at < m_end) {
            for (int line = 0; line < Lines; ++line) {
                hwy::Prefetch(m_at + line * lineBytes);
            }
            m_at += Lines * lineBytes;
        }
    }

private:
    static constexpr int lineBytes = 64;
    const std::byte* m_at = nullptr;
    const std::byte* m_end = nullptr;
};

/// Stores the sums of four vectors, each over its lanes, as four floats.
template <class D> HWY_INLINE void storeSums4(D d, Vec<D> a, Vec<D> b, Vec<D> c, Vec<D> e, float* out)
{
#if HWY_TARGET == HWY_SCALAR
    hn::StoreU(a, d, out);
    hn::StoreU(b, d, out + 1);
    hn::StoreU(c, d, out + 2);
    hn::StoreU(e, d, out + 3);
#else
    if constexpr (hn::MaxLanes(D()) > 4) {
        const hn::Half<D> half;
        const auto fold = [&](Vec<D> v) HWY_ATTR { return hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)); };
        storeSums4(half, fold(a), fold(b), fold(c), fold(e), out);
    } else {
        const hn::Repartition<double, D> pairs;
        const auto ab = hn::BitCast(pairs, hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)));
        const auto ce = hn::BitCast(pairs, hn::Add(hn::InterleaveLower(d, c, e), hn::InterleaveUpper(d, c, e)));
        const auto lower = hn::BitCast(d, hn::InterleaveLower(pairs, ab, ce));
        const auto upper = hn::BitCast(d, hn::InterleaveUpper(pairs, ab, ce));
        hn::StoreU(hn::Add(lower, upper), d, out);
    }
#endif
}

/// scores[h][t] = q_h · k_t of `Heads` heads and four tokens.
template <int Heads, int Lines, class D, class T>
HWY_INLINE void dot4(D d, const float* query, const T* key, std::int64_t dim, float* scores, Ahead& ahead)
{
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    Vec<D> sums[Heads][4];
    for (int h = 0; h < Heads; ++h) {
        for (int t = 0; t < 4; ++t) {
            sums[h][t] = hn::Zero(d);
        }
    }
    for (std::int64_t i = 0; i < dim; i += lanes) {
        ahead.step<Lines>();
        const Vec<D> k0 = loadElements(d, key + i);
        const Vec<D> k1 = loadElements(d, key + dim + i);
        const Vec<D> k2 = loadElements(d, key + 2 * dim + i);
        const Vec<D> k3 = loadElements(d, key + 3 * dim + i);
        for (int h = 0; h < Heads; ++h) {
            const Vec<D> q = hn::LoadU(d, query + h * dim + i);
            sums[h][0] = hn::MulAdd(q, k0, sums[h][0]);
            sums[h][1] = hn::MulAdd(q, k1, sums[h][1]);
            sums[h][2] = hn::MulAdd(q, k2, sums[h][2]);
            sums[h][3] = hn::MulAdd(q, k3, sums[h][3]);
        }
    }
    for (int h = 0; h < Heads; ++h) {
        storeSums4(d, sums[h][0], sums[h][1], sums[h][2], sums[h][3], scores + h * tileTokens);
    }
}

template <class D, class T> HWY_INLINE float dot1(D d, const float* query, const T* key, std::int64_t dim)
{
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    Vec<D> sum = hn::Zero(d);
    for (std::int64_t i = 0; i < dim; i += lanes) {
        sum = hn::MulAdd(hn::LoadU(d, query + i), loadElements(d, key + i), sum);
    }
    return hn::GetLane(hn::SumOfLanes(d, sum));
}

template <int Heads, int Lines, class D, class T>
HWY_INLINE void dotTile(
    D d, const float* query, const T* keys, std::int64_t dim, std::int64_t tokens, float* scores, Ahead& ahead)
{
    std::int64_t t = 0;
    for (; t + 4 <= tokens; t += 4) {
        dot4<Heads, Lines>(d, query, keys + t * dim, dim, scores + t, ahead);
    }
    for (; t < tokens; ++t) {
        for (int h = 0; h < Heads; ++h) {
            scores[h * tileTokens + t] = dot1(d, query + h * dim, keys + t * dim, dim);
        }
    }
}

/// Turns the scores of one head into weights exp(score − maximum), and keeps maximum and sum up to date. Returns what
/// the accumulators so far must be multiplied by.
template <class D>
HWY_INLINE float softmaxTile(D d, float* scores, std::int64_t tokens, float scale, float& maximum, float& sum)
{
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto factor = hn::Set(d, scale);
    auto largest = hn::Set(d, -FLT_MAX);
    for (std::int64_t t = 0; t < tokens; t += lanes) {
        const auto inside = hn::FirstN(d, static_cast<std::size_t>(std::min(lanes, tokens - t)));
        const auto score = hn::Mul(hn::LoadU(d, scores + t), factor);
        hn::StoreU(score, d, scores + t);
        largest = hn::Max(largest, hn::IfThenElse(inside, score, largest));
    }
    const float before = maximum;
    maximum = std::max(before, hn::GetLane(hn::MaxOfLanes(d, largest)));
    const float rescale = before == maximum ? 1.0F : std::exp(before - maximum); // before may be −∞: 0

    const auto shift = hn::Set(d, maximum);
    const auto lowest = hn::Set(d, -110.0F); // exp() of it is 0
    auto added = hn::Zero(d);
    for (std::int64_t t = 0; t < tokens; t += lanes) {
        const auto inside = hn::FirstN(d, static_cast<std::size_t>(std::min(lanes, tokens - t)));
        const auto exponent = hn::Max(hn::Sub(hn::LoadU(d, scores + t), shift), lowest);
        const auto weight = hn::IfThenElseZero(inside, hn::Exp(d, exponent));
        hn::StoreU(weight, d, scores + t);
        added = hn::Add(added, weight);
    }
    sum = sum * rescale + hn::GetLane(hn::SumOfLanes(d, added));
    return rescale;
}

/// accumulators[h] = accumulators[h] · rescale[h] + Σ_t weights[h][t] · v_t for `Heads` heads and `Vectors` vectors of
/// the width.
template <int Heads, int Vectors, int Lines, class D, class T>
HWY_INLINE void addValues(D d, const float* weights, const float* rescale, const T* values, std::int64_t stride,
    std::int64_t tokens, float* accumulators, std::int64_t dim, Ahead& ahead)
{
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    Vec<D> sums[Heads][Vectors];
    for (int h = 0; h < Heads; ++h) {
        const auto factor = hn::Set(d, rescale[h]);
        for (int v = 0; v < Vectors; ++v) {
            sums[h][v] = hn::Mul(hn::LoadU(d, accumulators + h * dim + v * lanes), factor);
        }
    }
    for (std::int64_t t = 0; t < tokens; ++t) {
        ahead.step<Lines>();
        Vec<D> value[Vectors];
        for (int v = 0; v < Vectors; ++v) {
            value[v] = loadElements(d, values + t * stride + v * lanes);
        }
        for (int h = 0; h < Heads; ++h) {
            const auto weight = hn::Set(d, weights[h * tileTokens + t]);
            for (int v = 0; v < Vectors; ++v) {
                sums[h][v] = hn::MulAdd(weight, value[v], sums[h][v]);
            }
        }
    }
    for (int h = 0; h < Heads; ++h) {
        for (int v = 0; v < Vectors; ++v) {
            hn::StoreU(sums[h][v], d, accumulators + h * dim + v * lanes);
        }
    }
}

template <int Heads, int Lines, class D, class T>
HWY_INLINE void valuesTile(D d, const float* weights, const float* rescale, const T* values, std::int64_t stride,
    std::int64_t tokens, float* accumulators, std::int64_t dim, Ahead& ahead)
{
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; i + 4 * lanes <= dim; i += 4 * lanes) {
        addValues<Heads, 4, Lines>(d, weights, rescale, values + i, stride, tokens, accumulators + i, dim, ahead);
    }
    for (; i < dim; i += lanes) {
        addValues<Heads, 1, Lines>(d, weights, rescale, values + i, stride, tokens, accumulators + i, dim, ahead);
    }
}

/// Tokens [from, from + tokens) of one block, seen by one KV head.
struct Tile {
    std::int64_t tokens = 0;
    const std::byte* keys = nullptr;
    const std::byte* values = nullptr;
};

/// Walks a task's tiles in the order they lie in memory: block by block, within it KV head by KV head.
template <class T> class TileWalk {
public:
    explicit TileWalk(const AttendTask& task)
        : m_task(task)
        , m_block(task.begin / task.blockTokens)
    {
        enterBlock();
    }

    bool atEnd() const { return m_block * m_task.blockTokens >= m_task.end; }
    std::int64_t head() const { return m_head; }

    Tile tile() const
    {
        const std::int64_t row = m_head * m_task.blockTokens + m_from;
        const std::byte* block = m_task.layer + m_task.table[m_block] * m_task.blockBytes;
        const std::byte* keys = block + row * m_task.keyDim * size;
        return {std::min(m_to - m_from, tileTokens), keys,
            m_task.latent ? keys : block + m_task.keyBytes + row * m_task.valueDim * size};
    }

    void advance()
    {
        m_from += tileTokens;
        if (m_from < m_to) {
            return;
        }
        if (++m_head == m_task.kvHeads) {
            m_head = 0;
            ++m_block;
        }
        enterBlock();
    }

private:
    static constexpr std::int64_t size = sizeof(T);

    void enterBlock()
    {
        const std::int64_t first = m_block * m_task.blockTokens;
        m_from = std::max<std::int64_t>(m_task.begin - first, 0);
        m_to = std::min(m_task.end - first, m_task.blockTokens);
    }

    const AttendTask& m_task;
    std::int64_t m_block;
    std::int64_t m_head = 0;
    std::int64_t m_from = 0; ///< within the block
    std::int64_t m_to = 0;
};

/// One group of query heads against one tile, two heads at a time. Each pair widens the elements anew in registers:
/// that is cheaper than a widened copy, which costs a load for every use.
template <int Lines, class D, class T>
HWY_INLINE void attendTile(D d, const AttendTask& task, std::int64_t firstHead, std::int64_t heads, std::int64_t tokens,
    const T* keys, const T* values, float* scores, Ahead keysAhead, Ahead valuesAhead)
{
    const std::int64_t stride = task.latent ? task.keyDim : task.valueDim;
    const auto some = [&](auto count, std::int64_t head) HWY_ATTR {
        constexpr int Heads = decltype(count)::value;
        dotTile<Heads, Lines>(d, task.query + head * task.keyDim, keys, task.keyDim, tokens, scores, keysAhead);
        float rescale[Heads];
        for (int h = 0; h < Heads; ++h) {
            rescale[h] = softmaxTile(
                d, scores + h * tileTokens, tokens, task.scoreScale, task.maxima[head + h], task.sums[head + h]);
        }
        valuesTile<Heads, Lines>(d, scores, rescale, values, stride, tokens, task.accumulators + head * task.valueDim,
            task.valueDim, valuesAhead);
    };
    std::int64_t head = firstHead;
    for (; head + 2 <= firstHead + heads; head += 2) {
        some(std::integral_constant<int, 2>(), head);
    }
    if (head < firstHead + heads) {
        some(std::integral_constant<int, 1>(), head);
    }
}

template <class D, class T> void attendAs(D d, const AttendTask& task)
{
    constexpr int Lines = std::max<int>(1, static_cast<int>(4 * hn::MaxLanes(D()) * sizeof(T) / 64));
    const std::int64_t group = task.queryHeads / task.kvHeads;
    alignas(64) float scores[2 * tileTokens];
    std::fill_n(task.accumulators, task.queryHeads * task.valueDim, 0.0F);
    std::fill_n(task.maxima, task.queryHeads, -std::numeric_limits<float>::infinity());
    std::fill_n(task.sums, task.queryHeads, 0.0F);

    TileWalk<T> next(task);
    while (!next.atEnd()) {
        const Tile tile = next.tile();
        const std::int64_t firstHead = next.head() * group;
        next.advance();
        Ahead keysAhead;
        Ahead valuesAhead;
        if (!next.atEnd()) {
            const Tile then = next.tile();
            keysAhead = Ahead(then.keys, then.tokens * task.keyDim * static_cast<std::int64_t>(sizeof(T)));
            if (!task.latent) {
                valuesAhead = Ahead(then.values, then.tokens * task.valueDim * static_cast<std::int64_t>(sizeof(T)));
            }
        }
        const T* keys = reinterpret_cast<const T*>(tile.keys);
        const T* values = reinterpret_cast<const T*>(tile.values);
        attendTile<Lines>(d, task, firstHead, group, tile.tokens, keys, values, scores, keysAhead, valuesAhead);
    }
}

template <class D> void attendWith(D d, const AttendTask& task)
{
    switch (task.format) {
    case CacheFormat::Fp32:
        attendAs<D, float>(d, task);
        return;
    case CacheFormat::Bf16:
        attendAs<D, hwy::bfloat16_t>(d, task);
        return;
    case CacheFormat::Fp16:
        attendAs<D, hwy::float16_t>(d, task);
        return;
    default:
        attendAs<D, std::int8_t>(d, task);
    }
}

void attendTask(const AttendTask& task)
{
    const hn::CappedTag<float, 16> wide;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(wide));
    if (task.keyDim % lanes == 0 && task.valueDim % lanes == 0) {
        attendWith(wide, task);
    } else {
        attendWith(hn::CappedTag<float, 8>(), task);
    }
}

const char* targetName()
{
    return hwy::TargetName(HWY_TARGET);
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace kvplan
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kvplan {

HWY_EXPORT(attendTask);
HWY_EXPORT(targetName);

void attend(const AttendTask& task)
{
    HWY_DYNAMIC_DISPATCH(attendTask)(task);
}

const char* attendTarget()
{
    return HWY_DYNAMIC_DISPATCH(targetName)();
}

} // namespace kvplan
#endif

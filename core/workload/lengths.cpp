// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/lengths.h"

#include "core/workload/length_laws.h"

namespace kvplan {

LengthDistribution::LengthDistribution(std::string text, std::shared_ptr<const LengthLaw> law)
    : m_text(std::move(text))
    , m_law(std::move(law))
{
}

double LengthDistribution::mean() const
{
    return m_law->mean();
}

double LengthDistribution::secondMoment() const
{
    return m_law->secondMoment();
}

double LengthDistribution::survival(double tokens) const
{
    return std::visit([&](const auto& law) { return law.survival(tokens); }, m_law->kind());
}

double LengthDistribution::limitedMean(double tokens) const
{
    return std::visit([&](const auto& law) { return law.limitedMean(tokens); }, m_law->kind());
}

double LengthDistribution::limitedSquare(double tokens) const
{
    return std::visit([&](const auto& law) { return law.limitedSquare(tokens); }, m_law->kind());
}

double LengthDistribution::meanOfLongest(std::int64_t draws) const
{
    return m_law->meanOfLongest(static_cast<double>(draws));
}

double LengthDistribution::quantile(double p) const
{
    return std::visit([&](const auto& law) { return law.quantile(p); }, m_law->kind());
}

double LengthDistribution::shortest() const
{
    return std::visit([](const auto& law) { return law.shortest(); }, m_law->kind());
}

double LengthDistribution::longest() const
{
    return m_law->longest();
}

} // namespace kvplan

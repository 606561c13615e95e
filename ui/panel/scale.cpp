// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/scale.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kvplan {

namespace {

/// Positions to an octave: one where other values rarely make sense, such as ranks that must divide heads.
int positionsPerOctave(Field field)
{
    switch (field) {
    case Field::QueryHeads:
    case Field::KvHeads:
    case Field::BlockSize:
    case Field::TensorParallel:
    case Field::PipelineParallel:
    case Field::DecodeContextParallel:
        return 1;
    case Field::HeadDim:
    case Field::ValueHeadDim:
        return 4;
    default:
        return 8;
    }
}

/// The round step, 1, 2 or 5 times a power of ten, that walks `range` in at most sixty steps.
double roundStep(double range)
{
    const double least = range / 60;
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : std::array{1.0, 2.0, 5.0}) {
        if (factor * decade >= least * (1 - 1e-9)) {
            return factor * decade;
        }
    }
    return 10 * decade;
}

} // namespace

Scale::Scale(const FieldSpec& field)
{
    if (field.steps == Steps::PowersOfTwo) {
        addOctaves(field);
    } else {
        addLinear(field);
    }
}

void Scale::addOctaves(const FieldSpec& field)
{
    const int perOctave = positionsPerOctave(field.field);
    const bool whole = field.kind == FieldKind::Integer;
    if (whole && field.minimum == 0) {
        m_stops.push_back(0);
        m_values.insert(m_values.end(), static_cast<std::size_t>(perOctave), 0.0);
    }
    for (double octave = field.sliderMinimum; octave < field.sliderMaximum; octave *= 2) {
        m_stops.push_back(static_cast<int>(m_values.size()));
        for (int i = 0; i < perOctave; ++i) {
            const double value = octave * (1 + static_cast<double>(i) / perOctave);
            m_values.push_back(whole ? std::floor(value) : value);
        }
    }
    m_stops.push_back(static_cast<int>(m_values.size()));
    m_values.push_back(field.sliderMaximum);
}

void Scale::addLinear(const FieldSpec& field)
{
    const double range = field.sliderMaximum - field.sliderMinimum;
    const double step = field.kind == FieldKind::Integer ? 1 : roundStep(range);
    const auto steps = static_cast<int>(std::floor(range / step + 1e-9));
    for (int i = 0; i <= steps; ++i) {
        // Through the nearest multiple, so that 0.1 · 3 is shown as 0.3.
        m_values.push_back(std::round((field.sliderMinimum + i * step) * 1e6) / 1e6);
    }
    if (m_values.back() < field.sliderMaximum) {
        m_values.push_back(field.sliderMaximum);
    }
}

double Scale::value(int position) const
{
    return m_values[static_cast<std::size_t>(std::clamp(position, 0, maximum()))];
}

int Scale::position(double value) const
{
    const auto above = std::ranges::lower_bound(m_values, value);
    if (above == m_values.begin()) {
        return 0;
    }
    if (above == m_values.end()) {
        return maximum();
    }
    const auto at = static_cast<int>(above - m_values.begin());
    if (*above - value <= value - *(above - 1)) {
        return at;
    }
    return static_cast<int>(std::ranges::lower_bound(m_values, *(above - 1)) - m_values.begin());
}

int Scale::stepped(int position, int direction) const
{
    int at = std::clamp(position, 0, maximum());
    const double before = value(at);
    while (at + direction >= 0 && at + direction <= maximum()) {
        at += direction;
        if (value(at) != before) {
            return this->position(value(at));
        }
    }
    return at;
}

int Scale::paged(int position, int direction) const
{
    if (m_stops.empty()) {
        return std::clamp(position + direction * std::max(1, maximum() / 10), 0, maximum());
    }
    if (direction > 0) {
        const auto next = std::ranges::upper_bound(m_stops, position);
        return next == m_stops.end() ? maximum() : *next;
    }
    const auto here = std::ranges::lower_bound(m_stops, position);
    return here == m_stops.begin() ? 0 : *(here - 1);
}

} // namespace kvplan

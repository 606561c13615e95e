// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/little_controls.h"

#include "core/queueing/little.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

namespace kvplan {

namespace {

QDoubleSpinBox* box(QWidget* parent, const QString& name, const QString& suffix)
{
    auto* spin = new QDoubleSpinBox(parent);
    spin->setRange(1e-3, 1e6);
    spin->setDecimals(3);
    spin->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    spin->setButtonSymbols(QAbstractSpinBox::NoButtons);
    spin->setAlignment(Qt::AlignRight);
    spin->setSuffix(suffix);
    spin->setAccessibleName(name);
    spin->setKeyboardTracking(false);
    spin->setMinimumWidth(90);
    return spin;
}

} // namespace

LittleControls::LittleControls(QWidget* parent)
    : QWidget(parent)
    , m_rate(box(this, tr("Arrival rate λ"), tr(" /s")))
    , m_time(box(this, tr("Time in system W"), tr(" s")))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(new QLabel(QStringLiteral("λ"), this));
    layout->addWidget(m_rate);
    layout->addSpacing(8);
    layout->addWidget(new QLabel(QStringLiteral("W"), this));
    layout->addWidget(m_time);
    layout->addStretch(1);
    connect(m_time, &QDoubleSpinBox::valueChanged, this, [this](double seconds) { setTime(seconds); });
    connect(m_rate, &QDoubleSpinBox::valueChanged, this, [this](double rate) {
        if (const auto little = littlesLaw(m_inSystem, rate, std::nullopt)) {
            setTime(little->timeSeconds);
        }
    });
    refresh();
}

void LittleControls::setTime(double seconds)
{
    if (seconds > 0 && seconds != m_timeSeconds) {
        m_timeSeconds = seconds;
        refresh();
        emit timeChanged(seconds);
    }
}

void LittleControls::setInSystem(double sequences)
{
    m_inSystem = sequences;
    refresh();
}

void LittleControls::refresh()
{
    const QSignalBlocker rateBlocker(m_rate);
    const QSignalBlocker timeBlocker(m_time);
    m_time->setValue(m_timeSeconds);
    if (const auto little = littlesLaw(m_inSystem, std::nullopt, m_timeSeconds)) {
        m_rate->setValue(little->ratePerSecond);
    }
}

} // namespace kvplan

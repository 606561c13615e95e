// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/measure/card.h"
#include "ui/measure/measure_view.h"

namespace kvplan {

/// Rows of a table, figures aligned right.
class FactTableBody : public CardBody {
    Q_OBJECT

public:
    using CardBody::CardBody;
    void display(const FactTable& table);
    const FactTable& table() const { return m_table; }

protected:
    bool isEmpty() const override { return m_table.rows.empty(); }
    void paint(QPainter& painter) override;

private:
    FactTable m_table;
};

/// Horizontal bars with their values behind them.
class ShareBarsBody : public CardBody {
    Q_OBJECT

public:
    using CardBody::CardBody;
    void display(const std::vector<ShareBar>& bars);

protected:
    bool isEmpty() const override { return m_bars.empty(); }
    void paint(QPainter& painter) override;

private:
    std::vector<ShareBar> m_bars;
};

/// Every timed step as a dot, its median and spread, and the two predictions as lines named at their ends.
class StepTimesBody : public CardBody {
    Q_OBJECT

public:
    using CardBody::CardBody;
    void display(const std::optional<StepTimes>& times);

protected:
    bool isEmpty() const override { return !m_times; }
    void paint(QPainter& painter) override;

private:
    std::optional<StepTimes> m_times;
};

} // namespace kvplan

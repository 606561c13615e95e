// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "core/plan/plan.h"
#include "core/scenario/fields.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <vector>

namespace kvplan {

class ChartCard;
class ChipRow;
class DerivationView;
class LittleControls;
class ScenarioEditor;

/// The plan's charts as cards: as many as the room holds, the chips choose which. Only those on show are computed and
/// drawn.
class PlanTab : public QWidget {
    Q_OBJECT

public:
    explicit PlanTab(ScenarioEditor& editor, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);

    /// Cards on show, in order.
    std::vector<ChartCard*> shownCards() const;
    ChartCard& card(int index) const { return *m_cards[static_cast<std::size_t>(index)]; }
    int cardCount() const { return static_cast<int>(m_cards.size()); }

signals:
    /// A factor of the derivation was followed.
    void factorActivated(kvplan::Field field);
    void failed(const kvplan::Error& error);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildCards();
    void toggle(int card, bool checked);
    void arrange();
    void refresh();
    void refreshCard(int card);
    void carry(int card, QPointF value);
    void release();

    ScenarioEditor& m_editor;
    Theme m_theme;
    ChipRow* m_chips;
    std::vector<ChartCard*> m_cards;
    std::vector<int> m_chosen; ///< cards asked for, first ones first
    std::vector<int> m_shown;
    DerivationView* m_derivation = nullptr;
    LittleControls* m_little = nullptr;
    int m_gesture = 0;
};

} // namespace kvplan

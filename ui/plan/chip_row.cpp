// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/chip_row.h"

#include <QPainter>
#include <QToolButton>

namespace kvplan {

namespace {

constexpr int gap = 6;
constexpr int innerPadding = 10;
constexpr int chipHeight = 26;

/// A toggle that paints itself as a pill.
class Chip : public QToolButton {
public:
    using QToolButton::QToolButton;

    Theme theme;

    QSize sizeHint() const override
    {
        return {QFontMetrics(theme.body()).horizontalAdvance(text()) + 2 * innerPadding, chipHeight};
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor blue = theme.color(Role::Cache);
        QColor wash = blue;
        wash.setAlphaF(0.12F);
        painter.setPen(QPen(isChecked() ? blue : theme.color(Role::Edge), hasFocus() ? 2 : 1));
        painter.setBrush(isChecked() ? wash : theme.color(Role::Card));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), chipHeight / 2.0 - 1, chipHeight / 2.0 - 1);
        painter.setFont(theme.body());
        painter.setPen(theme.color(isChecked() ? Role::Text : Role::QuietText));
        painter.drawText(rect(), Qt::AlignCenter, text());
    }
};

} // namespace

ChipRow::ChipRow(const QStringList& names, QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Charts on show"));
    for (const QString& name : names) {
        auto* chip = new Chip(this);
        chip->setText(name);
        chip->setAccessibleName(name);
        chip->setCheckable(true);
        chip->setFocusPolicy(Qt::TabFocus);
        const int index = static_cast<int>(m_chips.size());
        connect(chip, &QToolButton::clicked, this, [this, index](bool checked) { emit toggled(index, checked); });
        m_chips.push_back(chip);
    }
}

void ChipRow::setChecked(int chip, bool checked)
{
    m_chips[static_cast<std::size_t>(chip)]->setChecked(checked);
}

void ChipRow::setTheme(const Theme& theme)
{
    m_theme = theme;
    for (QToolButton* chip : m_chips) {
        static_cast<Chip*>(chip)->theme = theme;
    }
    place();
    update();
}

QSize ChipRow::sizeHint() const
{
    return {400, chipHeight};
}

void ChipRow::place()
{
    int wanted = 0;
    for (const QToolButton* chip : m_chips) {
        wanted += chip->sizeHint().width() + gap;
    }
    // A narrow row narrows its chips' padding before it cuts anything.
    const int spare = std::max(0, wanted - gap - width());
    const int less = (spare + static_cast<int>(m_chips.size()) - 1) / static_cast<int>(m_chips.size());
    int left = 0;
    for (QToolButton* chip : m_chips) {
        const int chipWidth = chip->sizeHint().width() - std::min(less, 2 * innerPadding - 6);
        chip->setGeometry(left, 0, chipWidth, chipHeight);
        left += chipWidth + gap;
    }
}

void ChipRow::resizeEvent(QResizeEvent*)
{
    place();
}

} // namespace kvplan

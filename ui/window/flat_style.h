// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QProxyStyle>

class QStyleOptionComboBox;
class QStyleOptionProgressBar;
class QStyleOptionSlider;
class QStyleOptionTab;

namespace kvplan {

/// Fusion with the window's own flat shapes: thin sliders with dotted stops, quiet boxes, underlined tabs. Boxes with
/// the property "refused" have the limit's edge, buttons with the property "primary" the cache's colour.
class FlatStyle : public QProxyStyle {
    Q_OBJECT

public:
    explicit FlatStyle(const Theme& theme);

    const Theme& theme() const { return m_theme; }

    void polish(QWidget* widget) override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(
        StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* returned) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
        const QWidget* widget) const override;
    QSize sizeFromContents(
        ContentsType type, const QStyleOption* option, const QSize& size, const QWidget* widget) const override;

    void drawPrimitive(
        PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override;
    void drawControl(
        ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
        const QWidget* widget) const override;
    using QProxyStyle::polish;

private:
    void drawBox(const QStyleOption& option, QPainter& painter, const QWidget* widget) const;
    void drawSlider(const QStyleOptionSlider& option, QPainter& painter, const QWidget* widget) const;
    void drawComboBox(const QStyleOptionComboBox& option, QPainter& painter, const QWidget* widget) const;
    void drawScrollBar(const QStyleOptionSlider& option, QPainter& painter) const;
    void drawButton(const QStyleOption& option, QPainter& painter, const QWidget* widget) const;
    void drawTab(const QStyleOptionTab& option, QPainter& painter) const;
    void drawProgress(const QStyleOptionProgressBar& option, QPainter& painter) const;

    Theme m_theme;
};

} // namespace kvplan

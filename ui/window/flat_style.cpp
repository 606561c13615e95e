// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/flat_style.h"

#include "ui/panel/field_slider.h"

#include <QComboBox>
#include <QPainter>
#include <QPainterPath>
#include <QStyleFactory>
#include <QStyleOption>

namespace kvplan {

namespace {

constexpr qreal radius = 4;
constexpr int handleSize = 14;
constexpr qreal trackHeight = 3;

QColor mixed(const QColor& a, const QColor& b, double share)
{
    const auto blend = [&](int x, int y) { return static_cast<int>(x + (y - x) * share); };
    return {blend(a.red(), b.red()), blend(a.green(), b.green()), blend(a.blue(), b.blue())};
}

bool flag(const QWidget* widget, const char* name)
{
    return widget != nullptr && widget->property(name).toBool();
}

} // namespace

FlatStyle::FlatStyle(const Theme& theme)
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
    , m_theme(theme)
{
}

void FlatStyle::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QSlider*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr) {
        widget->setAttribute(Qt::WA_Hover);
    }
}

int FlatStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
    case PM_SliderLength:
    case PM_SliderThickness:
    case PM_SliderControlThickness:
        return handleSize;
    case PM_ScrollBarExtent:
        return 10;
    case PM_TabBarTabHSpace:
        return 28;
    case PM_TabBarTabVSpace:
        return 14;
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_MenuBarVMargin:
        return 3;
    case PM_MenuBarHMargin:
        return 8;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int FlatStyle::styleHint(
    StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* returned) const
{
    switch (hint) {
    case SH_Slider_AbsoluteSetButtons:
        return Qt::LeftButton;
    case SH_ComboBox_Popup:
        return 0;
    case SH_ToolTip_WakeUpDelay:
        return 500;
    case SH_EtchDisabledText:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returned);
    }
}

QRect FlatStyle::subControlRect(
    ComplexControl control, const QStyleOptionComplex* option, SubControl part, const QWidget* widget) const
{
    if (control == CC_ScrollBar && (part == SC_ScrollBarAddLine || part == SC_ScrollBarSubLine)) {
        return {};
    }
    if (control == CC_ScrollBar) {
        const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (bar != nullptr && (part == SC_ScrollBarGroove || part == SC_ScrollBarSlider)) {
            const bool upright = bar->orientation == Qt::Vertical;
            const int length = upright ? bar->rect.height() : bar->rect.width();
            const int range = bar->maximum - bar->minimum + bar->pageStep;
            const int handle
                = range > 0 ? std::clamp(length * bar->pageStep / range, std::min(28, length), length) : length;
            const int at = sliderPositionFromValue(
                bar->minimum, bar->maximum, bar->sliderPosition, length - handle, bar->upsideDown);
            if (part == SC_ScrollBarGroove) {
                return bar->rect;
            }
            return upright ? QRect(bar->rect.x(), bar->rect.y() + at, bar->rect.width(), handle)
                           : QRect(bar->rect.x() + at, bar->rect.y(), handle, bar->rect.height());
        }
    }
    if (control == CC_ComboBox) {
        const QRect rect = option->rect;
        switch (part) {
        case SC_ComboBoxEditField:
            return rect.adjusted(6, 1, -20, -1);
        case SC_ComboBoxArrow:
            return {rect.right() - 20, rect.top(), 20, rect.height()};
        default:
            break;
        }
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

QSize FlatStyle::sizeFromContents(
    ContentsType type, const QStyleOption* option, const QSize& size, const QWidget* widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_PushButton) {
        result.setHeight(std::max(result.height(), 30));
        result.setWidth(result.width() + 12);
    }
    return result;
}

void FlatStyle::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    switch (element) {
    case PE_PanelLineEdit:
        if (widget == nullptr || qobject_cast<const QComboBox*>(widget->parentWidget()) == nullptr) {
            drawBox(*option, *painter, widget);
        }
        return;
    case PE_FrameLineEdit:
    case PE_FrameFocusRect:
    case PE_FrameTabBarBase:
    case PE_FrameStatusBarItem:
    case PE_PanelStatusBar:
        return;
    case PE_PanelButtonCommand:
        drawButton(*option, *painter, widget);
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void FlatStyle::drawControl(
    ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    switch (element) {
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, m_theme.color(Role::Card));
        return;
    case CE_MenuBarItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
            const bool active = (item->state & (State_Selected | State_Sunken)) != 0;
            painter->fillRect(item->rect,
                active ? mixed(m_theme.color(Role::Card), m_theme.color(Role::Cache), 0.14)
                       : m_theme.color(Role::Card));
            drawItemText(painter, item->rect, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextSingleLine,
                item->palette, (item->state & State_Enabled) != 0, item->text, QPalette::WindowText);
        }
        return;
    case CE_TabBarTabShape:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
            drawTab(*tab, *painter);
        }
        return;
    case CE_TabBarTabLabel:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
            const bool selected = (tab->state & State_Selected) != 0;
            painter->save();
            QFont font = m_theme.body();
            font.setPixelSize(font.pixelSize() + 1);
            if (selected) {
                font.setWeight(QFont::DemiBold);
            }
            painter->setFont(font);
            painter->setPen(m_theme.color(selected ? Role::Text : Role::QuietText));
            painter->drawText(tab->rect, Qt::AlignCenter | Qt::TextShowMnemonic, tab->text);
            painter->restore();
        }
        return;
    case CE_PushButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            QStyleOptionButton plain(*button);
            if (flag(widget, "primary") && (button->state & State_Enabled) != 0) {
                plain.palette.setColor(QPalette::ButtonText, Qt::white);
            }
            QProxyStyle::drawControl(element, &plain, painter, widget);
        }
        return;
    case CE_ProgressBarGroove:
    case CE_ProgressBarLabel:
        return;
    case CE_ProgressBarContents:
        if (const auto* progress = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
            drawProgress(*progress, *painter);
        }
        return;
    default:
        QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void FlatStyle::drawComplexControl(
    ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    switch (control) {
    case CC_Slider:
        if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
            drawSlider(*slider, *painter, widget);
            return;
        }
        break;
    case CC_ComboBox:
        if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
            drawComboBox(*box, *painter, widget);
            return;
        }
        break;
    case CC_ScrollBar:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
            drawScrollBar(*bar, *painter);
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void FlatStyle::drawBox(const QStyleOption& option, QPainter& painter, const QWidget* widget) const
{
    const bool focus = (option.state & State_HasFocus) != 0;
    const Role role = flag(widget, "refused") ? Role::Limit : focus ? Role::Cache : Role::Edge;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(role), focus || flag(widget, "refused") ? 1.5 : 1.0));
    painter.setBrush(m_theme.color(Role::Card));
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.75, 0.75, -0.75, -0.75), radius, radius);
    painter.restore();
}

void FlatStyle::drawSlider(const QStyleOptionSlider& option, QPainter& painter, const QWidget* widget) const
{
    const bool enabled = (option.state & State_Enabled) != 0;
    const QRectF area(option.rect);
    const qreal half = handleSize / 2.0 + 1;
    const qreal left = area.left() + half;
    const qreal length = area.width() - 2 * half;
    const qreal middle = area.top() + handleSize / 2.0 + 1;
    const int range = std::max(1, option.maximum - option.minimum);
    const auto at = [&](int position) { return left + length * (position - option.minimum) / range; };
    const qreal handle = at(option.sliderPosition);
    const QColor blue = enabled ? m_theme.color(Role::Cache) : m_theme.color(Role::Taken);

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(m_theme.color(Role::Card), m_theme.color(Role::QuietText), 0.24));
    painter.drawRoundedRect(QRectF(area.left() + 1, middle - trackHeight / 2, area.width() - 2, trackHeight),
        trackHeight / 2, trackHeight / 2);
    painter.setBrush(blue);
    painter.drawRoundedRect(QRectF(area.left() + 1, middle - trackHeight / 2, handle - area.left() - 1, trackHeight),
        trackHeight / 2, trackHeight / 2);

    if (const auto* slider = qobject_cast<const FieldSlider*>(widget)) {
        painter.setBrush(mixed(m_theme.color(Role::Card), m_theme.color(Role::QuietText), 0.75));
        for (const int stop : slider->stops()) {
            painter.drawRect(QRectF(std::round(at(stop)) - 1, area.bottom() - 2, 2, 2));
        }
    }

    if ((option.state & State_HasFocus) != 0 || (option.activeSubControls & SC_SliderHandle) != 0) {
        QColor halo = blue;
        halo.setAlphaF((option.state & State_HasFocus) != 0 ? 0.25F : 0.12F);
        painter.setBrush(halo);
        painter.drawEllipse(QPointF(handle, middle), half + 1, half + 1);
    }
    painter.setPen(QPen(blue, 2));
    painter.setBrush(m_theme.dark ? m_theme.color(Role::Ground) : QColor(Qt::white));
    painter.drawEllipse(QPointF(handle, middle), half - 2, half - 2);
    painter.restore();
}

void FlatStyle::drawComboBox(const QStyleOptionComboBox& option, QPainter& painter, const QWidget* widget) const
{
    drawBox(option, painter, widget);
    const QRectF rect(option.rect);
    const QPointF middle(rect.right() - 12, rect.center().y() + 0.5);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath arrow;
    arrow.moveTo(middle + QPointF(-3.5, -1.75));
    arrow.lineTo(middle + QPointF(0, 1.75));
    arrow.lineTo(middle + QPointF(3.5, -1.75));
    painter.setPen(QPen(m_theme.color(Role::QuietText), 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(arrow);
    painter.restore();
}

void FlatStyle::drawScrollBar(const QStyleOptionSlider& option, QPainter& painter) const
{
    painter.fillRect(option.rect, m_theme.color(Role::Card));
    if (option.maximum <= option.minimum) {
        return;
    }
    const QRectF handle(subControlRect(CC_ScrollBar, &option, SC_ScrollBarSlider, nullptr));
    const bool active = (option.state & (State_MouseOver | State_Sunken)) != 0;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(m_theme.color(Role::Card), m_theme.color(Role::QuietText), active ? 0.6 : 0.32));
    painter.drawRoundedRect(handle.adjusted(3, 2, -2, -2), 2.5, 2.5);
    painter.restore();
}

void FlatStyle::drawButton(const QStyleOption& option, QPainter& painter, const QWidget* widget) const
{
    const bool enabled = (option.state & State_Enabled) != 0;
    const bool pressed = (option.state & State_Sunken) != 0;
    const bool hovered = (option.state & State_MouseOver) != 0;
    const bool focus = (option.state & State_HasFocus) != 0;
    const QColor blue = m_theme.color(Role::Cache);
    const QColor card = m_theme.color(Role::Card);
    const double wash = pressed ? 0.16 : hovered ? 0.08 : 0.0;

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (flag(widget, "primary") && enabled) {
        const QColor fill = m_theme.dark ? m_theme.color(Role::CacheDeep) : blue;
        painter.setPen(focus ? QPen(m_theme.color(Role::Text), 1.5) : QPen(Qt::NoPen));
        painter.setBrush(mixed(fill, m_theme.color(Role::Text), wash));
    } else {
        painter.setPen(QPen(focus ? blue : m_theme.color(Role::Edge), focus ? 1.5 : 1.0));
        painter.setBrush(mixed(card, blue, enabled ? wash : 0.0));
    }
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.75, 0.75, -0.75, -0.75), radius + 1, radius + 1);
    painter.restore();
}

void FlatStyle::drawTab(const QStyleOptionTab& option, QPainter& painter) const
{
    const QRect line(option.rect.left() + 6, option.rect.bottom() - 2, option.rect.width() - 12, 3);
    if ((option.state & State_Selected) != 0) {
        painter.fillRect(line, m_theme.color(Role::Cache));
    } else if ((option.state & State_MouseOver) != 0) {
        painter.fillRect(line, m_theme.color(Role::Edge));
    }
    if ((option.state & State_HasFocus) != 0) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(m_theme.color(Role::Cache), 1));
        painter.drawRoundedRect(QRectF(option.rect).adjusted(4.5, 4.5, -4.5, -6.5), radius, radius);
        painter.restore();
    }
}

void FlatStyle::drawProgress(const QStyleOptionProgressBar& option, QPainter& painter) const
{
    const QRectF area(option.rect);
    const QRectF track(area.left(), area.center().y() - 3, area.width(), 6);
    const int range = std::max(1, option.maximum - option.minimum);
    QRectF done = track;
    done.setWidth(track.width() * (option.progress - option.minimum) / range);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(m_theme.color(Role::Card), m_theme.color(Role::QuietText), 0.2));
    painter.drawRoundedRect(track, 3, 3);
    painter.setBrush(m_theme.color(Role::Cache));
    painter.drawRoundedRect(done, 3, 3);
    painter.restore();
}

} // namespace kvplan

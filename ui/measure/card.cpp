// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/card.h"

#include <QPainter>

namespace kvplan {

namespace {

constexpr int padding = 16;
constexpr int headHeight = 62;

} // namespace

void CardBody::setTheme(const Theme& theme)
{
    m_theme = theme;
    update();
}

void CardBody::setDimmed(bool dimmed)
{
    m_dimmed = dimmed;
    update();
}

void CardBody::setPlaceholder(const QString& text)
{
    m_placeholder = text;
    update();
}

void CardBody::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (isEmpty()) {
        painter.setFont(m_theme.body());
        painter.setPen(m_theme.color(Role::QuietText));
        painter.drawText(rect().adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap, m_placeholder);
        return;
    }
    if (m_dimmed) {
        painter.setOpacity(0.4);
    }
    paint(painter);
}

Card::Card(const QString& title, CardBody* body, QWidget* parent)
    : QWidget(parent)
    , m_title(title)
    , m_body(body)
{
    body->setParent(this);
    setAccessibleName(title);
    setMinimumSize(300, 180);
}

void Card::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_body->setTheme(theme);
    update();
}

void Card::setTitle(const QString& title)
{
    m_title = title;
    setAccessibleName(title);
    update();
}

void Card::setSubtitle(const QString& subtitle)
{
    m_subtitle = subtitle;
    setAccessibleDescription(subtitle);
    update();
}

void Card::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(Role::Edge), 1));
    painter.setBrush(m_theme.color(Role::Card));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);

    const QRect room = rect().adjusted(padding, 14, -padding, 0);
    painter.setFont(m_theme.title());
    painter.setPen(m_theme.color(Role::Text));
    const int titleHeight = painter.fontMetrics().height();
    painter.drawText(QRect(room.left(), room.top(), room.width(), titleHeight), Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(m_title, Qt::ElideRight, room.width()));
    QFont small = m_theme.body();
    small.setPixelSize(small.pixelSize() - 1);
    painter.setFont(small);
    painter.setPen(m_theme.color(Role::QuietText));
    painter.drawText(QRect(room.left(), room.top() + titleHeight + 2, room.width(), painter.fontMetrics().height()),
        Qt::AlignLeft | Qt::AlignVCenter, painter.fontMetrics().elidedText(m_subtitle, Qt::ElideRight, room.width()));
}

void Card::resizeEvent(QResizeEvent*)
{
    m_body->setGeometry(rect().adjusted(padding, headHeight, -padding, -padding));
}

} // namespace kvplan

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_line.h"

#include <QPainter>

namespace kvplan {

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent)
{
    setFixedHeight(26);
    setAccessibleName(tr("Status"));
}

void StatusLine::setTheme(const Theme& theme)
{
    m_theme = theme;
    update();
}

void StatusLine::display(const QString& origin, const QString& time)
{
    m_origin = origin;
    m_time = time;
    setAccessibleDescription(origin);
    update();
}

void StatusLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Role::Card));
    painter.fillRect(QRect(0, 0, width(), 1), m_theme.color(Role::Edge));
    QFont font = m_theme.body();
    font.setPixelSize(font.pixelSize() - 1);
    painter.setFont(font);
    painter.setPen(m_theme.color(Role::QuietText));
    const QRect room = rect().adjusted(16, 1, -16, 0);
    const int timeWidth = painter.fontMetrics().horizontalAdvance(m_time) + 24;
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(m_origin, Qt::ElideRight, room.width() - timeWidth));
    painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, m_time);
}

} // namespace kvplan

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/value_box.h"

#include <QKeyEvent>
#include <QPainter>
#include <QStyle>

namespace kvplan {

namespace {

constexpr int edge = 8;
constexpr int gap = 4;

} // namespace

ValueBox::ValueBox(const QString& unit, QWidget* parent)
    : QLineEdit(parent)
    , m_unit(unit)
{
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    const int unitWidth = unit.isEmpty() ? 0 : fontMetrics().horizontalAdvance(unit) + gap;
    setTextMargins(2, 0, edge - 4 + unitWidth, 0);
    connect(this, &QLineEdit::returnPressed, this, &ValueBox::commit);
    connect(this, &QLineEdit::textEdited, this, [this] { setRefused(false); });
}

void ValueBox::display(const QString& text)
{
    m_shown = text;
    if (text != this->text()) {
        setText(text);
    }
    setModified(false);
    setRefused(false);
}

void ValueBox::setRefused(bool refused)
{
    if (m_refused != refused) {
        m_refused = refused;
        setProperty("refused", refused);
        update();
    }
}

void ValueBox::commit()
{
    if (isModified()) {
        setModified(false);
        emit entered(text());
    }
}

void ValueBox::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) {
        commit();
    }
}

void ValueBox::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        if (isModified() || m_refused) {
            display(m_shown);
            selectAll();
            return;
        }
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        commit();
        emit stepped(event->key() == Qt::Key_Up ? +1 : -1);
        return;
    default:
        break;
    }
    QLineEdit::keyPressEvent(event);
}

void ValueBox::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    if (!m_unit.isEmpty()) {
        QPainter painter(this);
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(0, 0, -edge, 0), Qt::AlignRight | Qt::AlignVCenter, m_unit);
    }
}

} // namespace kvplan

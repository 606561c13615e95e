// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/picker.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QWheelEvent>

namespace kvplan {

Picker::Picker(const QString& none, const QString& other, std::function<QStringList()> names, QWidget* parent)
    : QComboBox(parent)
    , m_none(none)
    , m_other(other)
    , m_names(std::move(names))
{
    setEditable(true);
    setInsertPolicy(QComboBox::NoInsert);
    setMaxVisibleItems(18);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(8);
    completer()->setCompletionMode(QCompleter::PopupCompletion);
    completer()->setFilterMode(Qt::MatchContains);
    completer()->setCaseSensitivity(Qt::CaseInsensitive);
    lineEdit()->installEventFilter(this);
    addItem(m_none);

    connect(this, &QComboBox::activated, this, [this](int index) { choose(itemText(index)); });
    connect(lineEdit(), &QLineEdit::editingFinished, this, [this] {
        if (lineEdit()->isModified()) {
            choose(lineEdit()->text());
        }
    });
}

void Picker::display(const QString& text)
{
    m_shown = text;
    lineEdit()->setText(text);
    lineEdit()->setCursorPosition(0);
    lineEdit()->setModified(false);
}

void Picker::showPopup()
{
    fill();
    display(m_shown);
    view()->setMinimumWidth(std::max(width(), 280));
    QComboBox::showPopup();
}

void Picker::fill()
{
    if (m_filled) {
        return;
    }
    m_filled = true;
    insertSeparator(count());
    addItems(m_names());
    if (!m_other.isEmpty()) {
        insertSeparator(count());
        addItem(m_other);
    }
    display(m_shown);
}

void Picker::choose(const QString& text)
{
    lineEdit()->setModified(false);
    const QString wanted = text.trimmed();
    if (wanted == m_shown || wanted.isEmpty()) {
        display(m_shown);
    } else if (wanted.compare(m_none, Qt::CaseInsensitive) == 0) {
        emit nonePicked();
    } else if (!m_other.isEmpty() && wanted == m_other) {
        display(m_shown);
        emit otherPicked();
    } else {
        emit picked(wanted);
    }
}

bool Picker::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn) {
        fill();
        QMetaObject::invokeMethod(lineEdit(), &QLineEdit::selectAll, Qt::QueuedConnection);
    } else if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape
        && lineEdit()->isModified()) {
        display(m_shown);
        return true;
    }
    return QComboBox::eventFilter(watched, event);
}

void Picker::wheelEvent(QWheelEvent* event)
{
    event->ignore();
}

} // namespace kvplan

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace kvplan {

/// A number right-aligned beside its unit. What is typed is handed over on Enter or when the focus leaves; Escape gives
/// the old value back.
class ValueBox : public QLineEdit {
    Q_OBJECT

public:
    explicit ValueBox(const QString& unit, QWidget* parent = nullptr);

    /// Shows a value, in place of whatever is typed.
    void display(const QString& text);

    /// Marks the box as refused until the next value or key.
    void setRefused(bool refused);
    bool isRefused() const { return m_refused; }

signals:
    void entered(const QString& text);
    /// Up or down was pressed.
    void stepped(int direction);

protected:
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void commit();

    QString m_unit;
    QString m_shown;
    bool m_refused = false;
};

} // namespace kvplan

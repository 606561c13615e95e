// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

namespace kvplan {

/// The line at the foot: what kind of figures these are and where they come from, and how long they took.
class StatusLine : public QWidget {
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void display(const QString& origin, const QString& time);
    const QString& origin() const { return m_origin; }
    const QString& time() const { return m_time; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme m_theme;
    QString m_origin;
    QString m_time;
};

} // namespace kvplan

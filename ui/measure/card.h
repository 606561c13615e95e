// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

namespace kvplan {

/// What a card of the Measure tab holds: paints itself in the theme, dimmed while it belongs to an earlier input.
class CardBody : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    void setTheme(const Theme& theme);
    void setDimmed(bool dimmed);

    /// Said in the middle while there is nothing to show.
    void setPlaceholder(const QString& text);

protected:
    const Theme& theme() const { return m_theme; }
    virtual bool isEmpty() const = 0;
    virtual void paint(QPainter& painter) = 0;
    void paintEvent(QPaintEvent* event) final;

private:
    Theme m_theme;
    QString m_placeholder;
    bool m_dimmed = false;
};

/// A white card: the question it answers, what the figures are, and the body.
class Card : public QWidget {
    Q_OBJECT

public:
    Card(const QString& title, CardBody* body, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setTitle(const QString& title);
    void setSubtitle(const QString& subtitle);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QString m_title;
    QString m_subtitle;
    CardBody* m_body;
    Theme m_theme;
};

} // namespace kvplan

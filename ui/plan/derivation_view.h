// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QAbstractScrollArea>
#include <QStringList>
#include <QTextDocument>

namespace kvplan {

/// Rich text whose links can be followed with the mouse, and with the arrow keys and Enter. Laid out once a change,
/// which a QLabel does four times. Scrolls when it is higher than its room.
class DerivationView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit DerivationView(QWidget* parent = nullptr);

    void setHtml(const QString& html);
    void setTheme(const Theme& theme);

    const QString& html() const { return m_html; }
    /// Addresses of the links, in order.
    const QStringList& links() const { return m_links; }

signals:
    void linkActivated(const QString& address);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Range {
        int from;
        int to;
    };

    void layOut();
    void collectLinks();
    QString linkAt(QPointF position) const;

    Theme m_theme;
    QString m_html;
    QTextDocument m_document;
    QStringList m_links;
    std::vector<Range> m_ranges; ///< of the links in the document
    int m_current = -1; ///< the link that Enter follows
};

} // namespace kvplan

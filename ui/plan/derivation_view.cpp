// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan/derivation_view.h"

#include <QAbstractTextDocumentLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextCursor>

#include <algorithm>
#include <cmath>

namespace kvplan {

DerivationView::DerivationView(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setAutoFillBackground(false);
    viewport()->setMouseTracking(true);
    m_document.setUndoRedoEnabled(false);
    m_document.setDocumentMargin(0);
    setMinimumSize(1, 1);
}

void DerivationView::setHtml(const QString& html)
{
    if (html == m_html) {
        return;
    }
    m_html = html;
    m_document.setHtml(html);
    setAccessibleDescription(m_document.toPlainText());
    collectLinks();
    layOut();
}

void DerivationView::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_document.setDefaultFont(theme.body());
    m_document.setDefaultStyleSheet(QStringLiteral("a { color: %1 }").arg(theme.color(Role::Cache).name()));
    m_document.setHtml(m_html);
    collectLinks();
    layOut();
}

void DerivationView::collectLinks()
{
    m_links.clear();
    m_ranges.clear();
    for (QTextBlock block = m_document.begin(); block.isValid(); block = block.next()) {
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            const QTextFragment fragment = at.fragment();
            if (fragment.charFormat().isAnchor()) {
                m_links << fragment.charFormat().anchorHref();
                m_ranges.push_back({fragment.position(), fragment.position() + fragment.length()});
            }
        }
    }
    m_current = std::min(m_current, static_cast<int>(m_links.size()) - 1);
}

void DerivationView::layOut()
{
    m_document.setTextWidth(viewport()->width());
    const auto height = static_cast<int>(std::ceil(m_document.size().height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    viewport()->update();
}

void DerivationView::resizeEvent(QResizeEvent*)
{
    layOut();
}

void DerivationView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.translate(0, -verticalScrollBar()->value());
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, m_theme.color(Role::Text));
    if (hasFocus() && m_current >= 0) {
        const Range range = m_ranges[static_cast<std::size_t>(m_current)];
        QAbstractTextDocumentLayout::Selection selection;
        selection.cursor = QTextCursor(&m_document);
        selection.cursor.setPosition(range.from);
        selection.cursor.setPosition(range.to, QTextCursor::KeepAnchor);
        selection.format.setBackground(m_theme.color(Role::Cache));
        selection.format.setForeground(m_theme.color(Role::Card));
        context.selections.push_back(selection);
    }
    m_document.documentLayout()->draw(&painter, context);
}

QString DerivationView::linkAt(QPointF position) const
{
    return m_document.documentLayout()->anchorAt(position + QPointF(0, verticalScrollBar()->value()));
}

void DerivationView::mouseMoveEvent(QMouseEvent* event)
{
    viewport()->setCursor(linkAt(event->position()).isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
}

void DerivationView::mouseReleaseEvent(QMouseEvent* event)
{
    const QString link = linkAt(event->position());
    if (event->button() == Qt::LeftButton && !link.isEmpty()) {
        emit linkActivated(link);
    }
}

void DerivationView::keyPressEvent(QKeyEvent* event)
{
    const auto count = static_cast<int>(m_links.size());
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
        m_current = std::min(m_current + 1, count - 1);
        viewport()->update();
        break;
    case Qt::Key_Left:
    case Qt::Key_Up:
        m_current = std::max(m_current - 1, std::min(0, count - 1));
        viewport()->update();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current >= 0) {
            emit linkActivated(m_links[m_current]);
        }
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void DerivationView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

} // namespace kvplan

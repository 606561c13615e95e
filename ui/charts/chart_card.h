// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/error.h"
#include "ui/charts/plot_data.h"

#include <QWidget>

class QMenu;
class QToolButton;

namespace kvplan {

class ChartPainter;
class PlotView;

/// A card with a question, its conditions, the body that answers it, a quiet line below, and a menu that takes it
/// elsewhere. The body is a plot, or another widget.
class ChartCard : public QWidget {
    Q_OBJECT

public:
    explicit ChartCard(QWidget* parent = nullptr);
    ~ChartCard() override;

    /// The plot, made when first asked for.
    PlotView& plot();
    /// Another body in place of the plot; the card owns it.
    void setBody(QWidget* body);
    /// A row of controls between the head and the body.
    void setControls(QWidget* controls);

    void show(const PlotData& chart);
    void setHead(const QString& title, const QString& subtitle);
    /// Dims the body: it belongs to an earlier input.
    void setStale(bool stale);
    void setTheme(const Theme& theme);
    /// What an exported picture says of its scenario.
    void setFacts(const QString& facts) { m_facts = facts; }

    const QString& title() const { return m_title; }
    const QString& subtitle() const { return m_subtitle; }
    const QString& footnote() const { return m_footnote; }
    bool isStale() const { return m_stale; }
    /// Whether title, subtitle or footnote is too long for the card.
    bool cutsWords() const;

    /// Head, body and facts as one picture of the card's own size, or of `size`.
    Result<void> exportPicture(const QString& path, QSize size = {}, double scale = 2);
    void copyPicture();
    void copyData();

    static constexpr int padding = 16;

signals:
    void failed(const kvplan::Error& error);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void place();
    int headHeight() const;
    QStringList noteLines(int width) const;
    void drawHead(QPainter& painter, QRect room) const;
    void drawPicture(ChartPainter& painter, QSize size);
    void exportDialog(const QString& suffix);

    QString m_title;
    QString m_subtitle;
    QString m_footnote;
    QString m_facts;
    Theme m_theme;
    PlotView* m_plot = nullptr;
    QWidget* m_body = nullptr;
    QWidget* m_controls = nullptr;
    QToolButton* m_more;
    bool m_stale = false;
};

} // namespace kvplan

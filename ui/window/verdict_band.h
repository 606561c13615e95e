// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/words/verdict.h"

#include <QWidget>

class QToolButton;

namespace kvplan {

/// The answer, in the largest type of the page. Its height depends on its width alone, so that nothing below it moves.
class VerdictBand : public QWidget {
    Q_OBJECT

public:
    explicit VerdictBand(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void display(const Verdict& verdict);
    const Verdict& verdict() const { return m_verdict; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QColor stateColor() const;
    void showNotes();
    void placeNotes();

    Theme m_theme;
    Verdict m_verdict;
    QToolButton* m_notes;
};

} // namespace kvplan

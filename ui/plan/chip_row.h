// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

#include <vector>

class QToolButton;

namespace kvplan {

/// One chip a card; the checked ones are on show.
class ChipRow : public QWidget {
    Q_OBJECT

public:
    explicit ChipRow(const QStringList& names, QWidget* parent = nullptr);

    void setChecked(int chip, bool checked);
    void setTheme(const Theme& theme);

    QSize sizeHint() const override;

signals:
    void toggled(int chip, bool checked);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void place();

    std::vector<QToolButton*> m_chips;
    Theme m_theme;
};

} // namespace kvplan

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

#include <functional>

namespace kvplan {

/// A drop-down over many names that is searched by typing: any part of a name finds it. The names are asked for when it
/// is first opened or typed into.
class Picker : public QComboBox {
    Q_OBJECT

public:
    /// `none` is the entry above the names; `other`, where not empty, the one below them.
    Picker(const QString& none, const QString& other, std::function<QStringList()> names, QWidget* parent = nullptr);

    void display(const QString& text);
    void showPopup() override;

signals:
    void nonePicked();
    void otherPicked();
    /// A name of the list, or what was typed.
    void picked(const QString& name);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void fill();
    void choose(const QString& text);

    QString m_none;
    QString m_other;
    QString m_shown;
    std::function<QStringList()> m_names;
    bool m_filled = false;
};

} // namespace kvplan

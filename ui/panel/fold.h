// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QVBoxLayout;

namespace kvplan {

/// A section that opens and closes by its header line, which says in a few words what the closed section holds.
class Fold : public QWidget {
    Q_OBJECT
    Q_PROPERTY(bool open READ isOpen WRITE setOpen NOTIFY toggled)

public:
    enum class Kind { Group, Detail };

    Fold(const QString& title, Kind kind, QWidget* parent = nullptr);
    ~Fold() override;

    /// Where its rows go.
    QVBoxLayout& body() const { return *m_layout; }

    bool isOpen() const;
    void setOpen(bool open);
    void setSummary(const QString& summary);

signals:
    void toggled(bool open);

private:
    class Header;

    Header* m_header;
    QWidget* m_body;
    QVBoxLayout* m_layout;
};

} // namespace kvplan

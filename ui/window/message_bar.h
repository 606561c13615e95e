// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

#include <functional>
#include <vector>

class QVBoxLayout;

namespace kvplan {

/// Messages in the window rather than over it: what, where and how to mend it. Each stays until it is dismissed or its
/// cause is gone; a newer one on the same topic takes its place.
class MessageBar : public QWidget {
    Q_OBJECT

public:
    enum class Kind { Problem, Note };

    struct Action {
        QString text;
        std::function<void()> run;
    };

    explicit MessageBar(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void tell(Kind kind, const QString& topic, const QString& text, const std::vector<Action>& actions = {});
    void clear(const QString& topic);

    /// The texts that stand there, oldest first.
    QStringList texts() const;

private:
    class Message;

    void refresh();

    Theme m_theme;
    QVBoxLayout* m_layout;
    std::vector<Message*> m_messages;
};

} // namespace kvplan

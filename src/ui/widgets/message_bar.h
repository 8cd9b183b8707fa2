// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QTimer;
class QToolButton;

namespace ep::ui {

// One sentence on a page: what happened and what to do. Never blocks the user; disappears when it
// is dismissed or replaced by the next message, and a floating notice also after a while.
class MessageBar : public QFrame {
    Q_OBJECT

public:
    enum class Kind { Notice, Warning, Error };

    explicit MessageBar(QWidget* parent = nullptr);

    // From now on, the bar covers the lower edge of its parent, so that nothing moves under the
    // pointer when the bar comes and goes. Otherwise, put the bar into a layout.
    void floatOverParent();
    // action: text of a button; empty: no button. Pressing it clears the message.
    void showMessage(Kind kind, const QString& text, const QString& action = {});
    void clear();
    QString text() const;
    Kind kind() const { return m_kind; }

Q_SIGNALS:
    void actionTriggered();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void applyColours();

    Kind m_kind = Kind::Notice;
    bool m_floats = false;
    QTimer* m_fade; // clears a floating notice
    QLabel* m_word;
    QLabel* m_text;
    QToolButton* m_action;
    QToolButton* m_dismiss;
};

} // namespace ep::ui

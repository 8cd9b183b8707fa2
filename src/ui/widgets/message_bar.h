// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QTimer;
class QToolButton;

namespace ep::ui {

// One sentence on a page: what happened and what to do. Never blocks the user, disappears when
// dismissed or replaced by the next message, a floating notice also by itself.
class MessageBar : public QFrame {
    Q_OBJECT

public:
    enum class Kind { Notice, Warning, Error };

    explicit MessageBar(QWidget* parent = nullptr);

    // Lies over the lower edge of its parent from now on, so that nothing moves under the pointer
    // when it comes and goes. Otherwise it belongs into a layout.
    void floatOverParent();
    // action: a button with this text, none when empty; pressing it clears the message.
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
    QTimer* m_fade; // of a floating notice
    QLabel* m_word;
    QLabel* m_text;
    QToolButton* m_action;
    QToolButton* m_dismiss;
};

} // namespace ep::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/conversation.h"
#include "ep/core/result.h"

#include <QWidget>

#include <cstddef>
#include <string>
#include <vector>

class QComboBox;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace ep::ui {

// Members of a message other than role and content, as one line of JSON; empty: none.
std::string furtherFields(const ChatMessage& message);

// The messages, one per line: "user: Hi"; a message without text shows its fields.
std::string spokenText(const Conversation& conversation);

// The message with another role, text and other fields. Members keep their order, and a content
// whose text is unchanged keeps its form. The error is a phrase without a full stop and names the
// message by its number.
Result<ChatMessage> changedMessage(const ChatMessage& message, std::size_t number,
                                   const std::string& role, const std::string& text,
                                   const std::string& further);

class CollapsibleBox;
class PromptTextEdit;

// One conversation, or a batch of them: a list of messages and, below it, the selected message
// with its role, its text and its other fields (tool calls) as JSON. The number of widgets does
// not depend on the number of messages.
class ConversationEdit : public QWidget {
    Q_OBJECT

public:
    explicit ConversationEdit(QWidget* parent = nullptr);

    // Requires at least one; each keeps its template variables.
    void setConversations(std::vector<Conversation> conversations);
    const std::vector<Conversation>& conversations() const { return m_conversations; }
    std::size_t current() const { return m_current; } // index of the shown one
    QString problem() const; // why the conversations cannot be used; empty if they can
    PromptTextEdit* editor() const { return m_text; } // shows the selected message

Q_SIGNALS:
    void changed();
    void openRequested(); // to open a file

private:
    void build();
    QWidget* buildButtons();
    Conversation& shown() { return m_conversations[m_current]; }
    void showConversation(std::size_t index);
    void showMessage(int row);
    void showButtons();
    void takeMessage(); // from the fields
    void takeTools();
    void add();
    void remove();
    void move(int by);

    std::vector<Conversation> m_conversations;
    std::size_t m_current = 0;
    QString m_messageProblem;
    QString m_toolsProblem;
    bool m_filling = false; // the program, not the user, is changing the fields
    QWidget* m_batch;
    QSpinBox* m_which;
    QListWidget* m_list;
    QPushButton* m_add;
    QPushButton* m_remove;
    QToolButton* m_up;
    QToolButton* m_down;
    QPushButton* m_open;
    QComboBox* m_role;
    PromptTextEdit* m_text;
    QLineEdit* m_further;
    CollapsibleBox* m_toolsBox;
    QPlainTextEdit* m_tools;
};

} // namespace ep::ui

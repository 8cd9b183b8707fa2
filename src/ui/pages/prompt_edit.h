// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/latest_job.h"

#include "ep/text/chat_template.h"
#include "ep/text/tokenizer.h"

#include <QPlainTextEdit>
#include <QTimer>
#include <QWidget>

#include <filesystem>
#include <string>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace ep::ui {

// The prompts of one batch: separated by lines that contain only ---. A line \--- is such a line
// inside a prompt. Empty if all prompts are empty.
std::vector<std::string> batchPrompts(const QString& text);

// The prompt, and below it whether it uses the model's chat template and its number of tokens for
// the selected model. Loading the tokenizer and counting run on another thread; typing never waits.
class PromptEdit : public QWidget {
    Q_OBJECT

public:
    explicit PromptEdit(QWidget* parent = nullptr);

    QString text() const;
    void setText(const QString& text);
    void setModelFolder(const std::filesystem::path& folder);
    QPlainTextEdit* editor() const { return m_edit; }

    // The user's choice for models that have a chat template.
    bool wantsChat() const { return m_wantsChat; }
    void setWantsChat(bool wanted);
    // As typed; used only with the chat template.
    QString systemMessage() const;
    void setSystemMessage(const QString& text);

Q_SIGNALS:
    void textChanged();

private:
    using TokenizerPtr = std::shared_ptr<const text::Tokenizer>;
    using ChatPtr = std::shared_ptr<const text::ChatTemplate>;
    struct Loaded {
        TokenizerPtr tokenizer;
        ChatPtr chat; // null: none that works
        bool hasChat = false; // possibly an invalid one
        QString chatProblem; // why it does not work
    };
    static Result<Loaded> load(const std::filesystem::path& folder);
    void loadTokenizer();
    void showChat(bool hasChat, const QString& problem);
    void count();
    void showCounts(const std::vector<std::size_t>& tokens);

    QPlainTextEdit* m_edit;
    QCheckBox* m_chatBox;
    QLineEdit* m_system;
    QLabel* m_count;
    QTimer m_pause; // starts counting when typing pauses
    std::filesystem::path m_folder;
    TokenizerPtr m_tokenizer;
    ChatPtr m_chat;
    bool m_wantsChat = true;
    LatestJob m_loading;
    LatestJob m_counting;
};

} // namespace ep::ui

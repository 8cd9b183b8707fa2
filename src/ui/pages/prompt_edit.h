// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pages/prompt_counts.h"
#include "repository/latest_job.h"

#include "ep/core/conversation.h"

#include <QPlainTextEdit>
#include <QTimer>
#include <QWidget>

#include <filesystem>
#include <string>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace ep::ui {

class ConversationEdit;
class PromptTextEdit;
class TemplateChoices;
struct Settings;

// The prompt or, if wanted, a conversation; below it whether it uses the model's chat template,
// and its number of tokens for the selected model. Loading the tokenizer, rendering and counting
// run on another thread; typing never waits.
class PromptEdit : public QWidget {
    Q_OBJECT

public:
    explicit PromptEdit(QWidget* parent = nullptr);
    ~PromptEdit() override;

    void readSettings(const Settings& settings);
    void writeSettings(Settings& settings) const;

    void setText(const QString& text); // shows a plain prompt
    void setConversations(std::vector<Conversation> conversations); // shows them
    void openFile(const std::filesystem::path& file); // a file with conversations
    void setModelFolder(const std::filesystem::path& folder);
    void focusEditor();
    QPlainTextEdit* editor() const; // editor of the prompt
    // System message, switches of the template and the rendered prompt; the form places them.
    QWidget* templateFields() const { return m_fields; }

    std::vector<Conversation> conversations() const; // empty: a plain prompt is shown
    bool usesTemplate() const; // the model's chat template
    std::string templateVariables() const; // JSON object; empty: none
    QString problem() const; // why no run can start with this prompt; empty if one can
    std::size_t longestPrompt() const; // tokens, with the template; 0: not counted

Q_SIGNALS:
    void changed();
    void tokensCounted(); // longestPrompt() has changed

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void build();
    void connectParts();
    void loadTokenizer();
    void showChat();
    void showMode(bool conversation);
    void browse();
    void startCounting();
    void showCounts(const PromptCounts& counted);
    void showNote();
    void showRendered();

    PromptTextEdit* m_edit;
    ConversationEdit* m_conversation;
    QCheckBox* m_isConversation;
    QCheckBox* m_chatBox;
    QWidget* m_fields;
    QLineEdit* m_system;
    TemplateChoices* m_choices;
    QLabel* m_count;
    QPushButton* m_show;
    QLabel* m_note;
    QTimer m_pause; // starts counting when typing pauses
    std::filesystem::path m_folder;
    PromptModel m_model;
    bool m_wantsChat = true; // the user's choice, for models that have a chat template
    PromptCounts m_counted;
    QString m_fileProblem; // why the last file was not opened, until something is edited
    LatestJob m_loading;
    LatestJob m_counting;
    LatestJob m_opening;
};

} // namespace ep::ui

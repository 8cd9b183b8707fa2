// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "repository/latest_job.h"

#include "ep/core/conversation.h"
#include "ep/core/result.h"
#include "ep/text/chat_template.h"
#include "ep/text/tokenizer.h"

#include <QDialog>
#include <QPlainTextEdit>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace ep::ui {

// The text that the chat template makes of a prompt, as the model gets it, with its special
// tokens marked. Read-only; deletes itself when it is closed.
class RenderedPromptDialog : public QDialog {
    Q_OBJECT

public:
    RenderedPromptDialog(const QString& prompt, const QStringList& specialTokens, QWidget* parent);
};

// The switches that the model's chat template reads, such as enable_thinking, each with its
// values. A choice is kept for other models that have the same switch.
class TemplateChoices : public QWidget {
    Q_OBJECT

public:
    explicit TemplateChoices(QWidget* parent = nullptr);

    void setChoices(const std::vector<text::TemplateChoice>& choices); // hidden if there are none

    // JSON objects: the switches shown, and all switches that were ever chosen.
    std::string variables() const;
    std::string remembered() const;
    void setRemembered(const std::string& variables);

Q_SIGNALS:
    void changed();

private:
    void fill();

    std::vector<text::TemplateChoice> m_choices;
    std::map<std::string, std::string> m_chosen; // values as JSON, by name
    QFormLayout* m_form;
};

// How prompts and conversations look to a model. Pure; any thread.

// The prompts of one batch, separated by lines that contain only ---. A line \--- is read as a line
// --- inside a prompt. Empty if all prompts are empty.
std::vector<std::string> batchPrompts(const QString& text);

// Conversations as text, one JSON object per line.
QString conversationLines(const std::vector<Conversation>& conversations);
std::vector<Conversation> conversationsOfLines(const QString& lines);

// The parts of a model that turn a prompt into tokens.
struct PromptModel {
    std::shared_ptr<const text::Tokenizer> tokenizer{};
    std::shared_ptr<const text::ChatTemplate> chat{}; // null: none, or it does not work
    bool hasChat = false; // the template may be invalid
    QString chatProblem{}; // why the template is invalid
};
Result<PromptModel> loadPromptModel(const std::filesystem::path& folder);

struct PromptCounts {
    std::vector<std::size_t> tokens{}; // number of tokens of each prompt
    QString rendered{}; // text of the shown one; empty without a template
    QStringList special{}; // special tokens in the rendered text
    QString problem{}; // why the template cannot render a prompt
};
// Counts the conversations with a template, otherwise the prompts.
PromptCounts countPrompts(const text::Tokenizer& tokenizer, const text::ChatTemplate* chat,
                          const std::vector<Conversation>& conversations,
                          const std::vector<std::string>& prompts, std::size_t shown);

class ConversationEdit;
class PromptTextEdit;
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
    void setConversations(std::vector<Conversation> conversations); // replaces the prompt
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

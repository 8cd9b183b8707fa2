// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/conversation.h"
#include "ep/core/result.h"
#include "ep/text/chat_template.h"
#include "ep/text/tokenizer.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

// How prompts and conversations look to a model. Pure; any thread.
namespace ep::ui {

// The prompts of one batch, separated by lines that contain only ---. A line \--- stands for such
// a line inside a prompt. Empty if all prompts are empty.
std::vector<std::string> batchPrompts(const QString& text);

// Conversations as text, one JSON object per line.
QString conversationLines(const std::vector<Conversation>& conversations);
std::vector<Conversation> conversationsOfLines(const QString& lines);

// The parts of a model that turn a prompt into tokens.
struct PromptModel {
    std::shared_ptr<const text::Tokenizer> tokenizer{};
    std::shared_ptr<const text::ChatTemplate> chat{}; // null: none, or it does not work
    bool hasChat = false; // it may be invalid
    QString chatProblem{}; // why it is invalid
};
Result<PromptModel> loadPromptModel(const std::filesystem::path& folder);

struct PromptCounts {
    std::vector<std::size_t> tokens{}; // number of tokens of each prompt
    QString rendered{}; // text of the shown one; empty without a template
    QStringList special{}; // special tokens in it
    QString problem{}; // why the template cannot render a prompt
};
// Counts the conversations with a template, otherwise the prompts.
PromptCounts countPrompts(const text::Tokenizer& tokenizer, const text::ChatTemplate* chat,
                          const std::vector<Conversation>& conversations,
                          const std::vector<std::string>& prompts, std::size_t shown);

} // namespace ep::ui

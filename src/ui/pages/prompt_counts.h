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

// What becomes of prompts and conversations for a model. Pure; any thread.
namespace ep::ui {

// The prompts of one batch: separated by lines that contain only ---. A line \--- is such a line
// inside a prompt. Empty if all prompts are empty.
std::vector<std::string> batchPrompts(const QString& text);

// Conversations as text, one JSON object a line.
QString conversationLines(const std::vector<Conversation>& conversations);
std::vector<Conversation> conversationsOfLines(const QString& lines);

// The parts of a model that turn a prompt into tokens.
struct PromptModel {
    std::shared_ptr<const text::Tokenizer> tokenizer{};
    std::shared_ptr<const text::ChatTemplate> chat{}; // null: none that works
    bool hasChat = false; // possibly an invalid one
    QString chatProblem{}; // why it does not work
};
Result<PromptModel> loadPromptModel(const std::filesystem::path& folder);

struct PromptCounts {
    std::vector<std::size_t> tokens{}; // of each prompt
    QString rendered{}; // of the one that is shown; empty without a template
    QStringList special{}; // its special tokens
    QString problem{}; // why the template does not render one
};
// Counts the conversations with a template, otherwise the prompts.
PromptCounts countPrompts(const text::Tokenizer& tokenizer, const text::ChatTemplate* chat,
                          const std::vector<Conversation>& conversations,
                          const std::vector<std::string>& prompts, std::size_t shown);

} // namespace ep::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/prompt_counts.h"

#include "ep/json/conversation.h"
#include "ep/ui/terms.h"
#include "ep/ui/to_qstring.h"

#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

} // namespace

std::vector<std::string> batchPrompts(const QString& text)
{
    std::vector<std::string> prompts;
    QStringList lines;
    bool several = false;
    const auto finish = [&] {
        const QString prompt = lines.join(u'\n');
        lines.clear();
        if (!prompt.isEmpty() && !(several && prompt.trimmed().isEmpty()))
            prompts.push_back(prompt.toStdString());
    };
    for (const QString& line : text.split(u'\n')) {
        if (line == "---"_L1) {
            several = true;
            finish();
        } else {
            lines += line == "\\---"_L1 ? line.mid(1) : line;
        }
    }
    finish();
    return prompts;
}

QString conversationLines(const std::vector<Conversation>& conversations)
{
    QStringList lines;
    for (const Conversation& conversation : conversations)
        lines << toQString(json::conversationText(conversation));
    return lines.join(u'\n');
}

std::vector<Conversation> conversationsOfLines(const QString& lines)
{
    std::vector<Conversation> conversations;
    for (const QString& line : lines.split(u'\n', Qt::SkipEmptyParts)) {
        if (auto one = json::conversationFromText(line.toStdString()); !one.empty())
            conversations.push_back(std::move(one));
    }
    return conversations;
}

Result<PromptModel> loadPromptModel(const std::filesystem::path& folder)
{
    auto tokenizer = text::Tokenizer::load(folder);
    if (!tokenizer)
        return tokenizer.error();
    PromptModel loaded{.tokenizer = std::move(*tokenizer), .chat = nullptr, .chatProblem = {}};
    auto chat = text::ChatTemplate::load(folder);
    loaded.hasChat = chat || chat.error().code != ErrorCode::NotFound;
    if (chat)
        loaded.chat = std::move(*chat);
    else
        loaded.chatProblem = term(chat.error().message);
    return loaded;
}

PromptCounts countPrompts(const text::Tokenizer& tokenizer, const text::ChatTemplate* chat,
                          const std::vector<Conversation>& conversations,
                          const std::vector<std::string>& prompts, std::size_t shown)
{
    PromptCounts counted;
    if (chat == nullptr) {
        for (const std::string& prompt : prompts)
            counted.tokens.push_back(tokenizer.encode(prompt).size());
        return counted;
    }
    for (const Conversation& conversation : conversations) {
        const bool isShown = counted.tokens.size() == shown;
        const auto text = chat->render(conversation);
        const auto ids = text ? tokenizer.encode(*text, false) : std::vector<text::TokenId>();
        counted.tokens.push_back(ids.size());
        if (!text && counted.problem.isEmpty())
            counted.problem = term(text.error().message);
        if (!text || !isShown)
            continue;
        counted.rendered = toQString(*text);
        for (const text::TokenId id : ids) {
            if (const QString token = toQString(tokenizer.tokenString(id));
                tokenizer.isSpecial(id) && !counted.special.contains(token))
                counted.special << token;
        }
    }
    return counted;
}

} // namespace ep::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/prompt_text_edit.h"

#include "text.h"

#include "ep/json/conversation.h"

#include <QMimeData>
#include <QUrl>

#include <utility>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

constexpr qsizetype kLongestPaste = 200'000; // characters; longer ones would block the window

// Empty unless the whole text, from its first to its last character, is a conversation.
std::vector<Conversation> conversationsIn(const QString& text)
{
    const QString trimmed = text.trimmed();
    const bool mayBe = (trimmed.startsWith(u'{') || trimmed.startsWith(u'['))
        && trimmed.contains("\"role\""_L1) && trimmed.size() <= kLongestPaste;
    if (!mayBe)
        return {};
    auto read = json::readConversations(trimmed.toStdString(), {});
    return read ? std::move(read->conversations) : std::vector<Conversation>();
}

} // namespace

std::optional<std::filesystem::path> conversationFileIn(const QMimeData& data)
{
    const QList<QUrl> urls = data.urls();
    if (urls.size() != 1 || !urls.first().isLocalFile())
        return std::nullopt;
    const QString file = urls.first().toLocalFile();
    if (!file.endsWith(".json"_L1, Qt::CaseInsensitive)
        && !file.endsWith(".jsonl"_L1, Qt::CaseInsensitive))
        return std::nullopt;
    return toPath(file);
}

bool PromptTextEdit::canInsertFromMimeData(const QMimeData* source) const
{
    return conversationFileIn(*source) || QPlainTextEdit::canInsertFromMimeData(source);
}

void PromptTextEdit::insertFromMimeData(const QMimeData* source)
{
    if (const auto file = conversationFileIn(*source)) {
        Q_EMIT fileGiven(*file);
        return;
    }
    const std::vector<Conversation> conversations =
        source->hasText() ? conversationsIn(source->text()) : std::vector<Conversation>();
    if (conversations.empty())
        QPlainTextEdit::insertFromMimeData(source);
    else
        Q_EMIT conversationsGiven(conversations);
}

} // namespace ep::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/privacy.h"

#include "jobs/comparable.h"

#include "ep/json/conversation.h"

#include <QByteArray>
#include <QCryptographicHash>

#include <algorithm>
#include <array>

namespace ep::session {

std::string hashedText(std::string_view text)
{
    if (text.empty())
        return {};
    const QByteArray bytes(text.data(), static_cast<qsizetype>(text.size()));
    return "sha256:"
        + QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString();
}

namespace {

// The roles stay, as they reveal no text.
void hashTexts(Conversation& conversation)
{
    constexpr std::array<std::string_view, 5> kRoles{"system", "developer", "user", "assistant",
                                                     "tool"};
    for (ChatMessage& message : conversation.messages) {
        const bool usual = std::ranges::count(kRoles, message.role) > 0;
        const std::string calls = callsIn(message);
        // Hashes the text like an answer, so that the requests of a session can still be joined.
        const std::string said = message.role == "assistant"
            ? message.text + (message.text.empty() || calls.empty() ? "" : "\n") + calls
            : comparableText(message.text) + calls;
        message = json::chatMessage(usual ? message.role : hashedText(message.role),
                                    hashedText(said.empty() ? message.json : said));
    }
    const auto object = [](const std::string& text) {
        return R"({"hash":")" + hashedText(text) + "\"}";
    };
    if (!conversation.tools.empty())
        conversation.tools = '[' + object(conversation.tools) + ']';
    if (!conversation.variables.empty())
        conversation.variables = object(conversation.variables);
}

} // namespace

void hashTexts(RunInfo& info)
{
    info.prompt = hashedText(info.prompt);
    hashTexts(info.conversation);
    info.response = hashedText(info.response);
    for (BatchSequence& sequence : info.batch) {
        sequence.prompt = hashedText(sequence.prompt);
        hashTexts(sequence.conversation);
        sequence.response = hashedText(sequence.response);
    }
    for (std::string& stop : info.sampling.stop)
        stop = hashedText(stop);
}

void hashTexts(Run& run)
{
    hashTexts(run.info);
    for (TokenSpan& token : run.trace.tokens)
        leaveTextOut(token);
}

// Removes the id, too, since it reveals as much as the text.
void leaveTextOut(TokenSpan& token)
{
    token.text.clear();
    token.id = 0;
}

} // namespace ep::session

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/conversation.h"
#include "ep/core/result.h"

#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace ep::text {

// A variable that a template reads and that users may set.
struct TemplateChoice {
    std::string name; // "enable_thinking"
    std::vector<std::string> values; // as JSON: "true", "\"low\""

    bool operator==(const TemplateChoice&) const = default;
};

// The Jinja template with which a model formats a conversation. Immutable, so it may be shared
// between threads. Does not need LibTorch.
class ChatTemplate {
public:
    // Reads chat_template.jinja, or chat_template.json, or the chat_template in
    // tokenizer_config.json ("default" of several named ones), and the special tokens next to it;
    // for a GGUF file, its metadata. NotFound if the model has none, InvalidInput with the line
    // number if it is invalid.
    static Result<std::shared_ptr<const ChatTemplate>> load(const std::filesystem::path& folder);

    ~ChatTemplate();

    // Renders the conversation, followed by the beginning of the model's response. The text
    // contains the special tokens, so encode it without adding any. The template gets
    // messages, tools and variables unchanged, except that content in parts becomes a text if
    // the template reads no parts. If it fails, arguments of calls are converted between
    // object and text, and null content becomes an empty text. Unsupported, with the
    // template's message, if the template refuses the messages (some accept no system
    // message).
    Result<std::string> render(const Conversation& conversation) const; // now
    Result<std::string> render(const Conversation& conversation, const std::tm& now) const;

    // The switches that the template reads, such as enable_thinking, with their usual values.
    const std::vector<TemplateChoice>& choices() const;

private:
    struct Impl;
    explicit ChatTemplate(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace ep::text

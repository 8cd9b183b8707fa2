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

// A variable that a template reads and the user may choose.
struct TemplateChoice {
    std::string name; // "enable_thinking"
    std::vector<std::string> values; // as JSON: "true", "\"low\""

    bool operator==(const TemplateChoice&) const = default;
};

// The Jinja template with which a model formats a conversation. Immutable, so it may be shared
// between threads. Does not need LibTorch.
class ChatTemplate {
public:
    // Whether the folder seems to have a template; does not read it.
    static bool existsIn(const std::filesystem::path& folder);

    // Reads chat_template.jinja, or else chat_template.json, or else the chat_template of
    // tokenizer_config.json ("default" of several named ones), and the special tokens next to it;
    // of a GGUF file the one in its metadata.
    // NotFound if the model has none, InvalidInput with the line number if it is invalid.
    static Result<std::shared_ptr<const ChatTemplate>> load(const std::filesystem::path& folder);

    ~ChatTemplate();

    // The text of the conversation, followed by the beginning of the model's response. It contains
    // the special tokens: encode it without adding them. The template gets the messages, tools and
    // variables as they are; a content in parts becomes a text where the template reads no parts.
    // Where it fails, the arguments of calls change between object and text, and a content of null
    // becomes an empty text.
    // Unsupported, with the template's message, if the template refuses the messages (some accept
    // no system message).
    Result<std::string> render(const Conversation& conversation) const; // now
    Result<std::string> render(const Conversation& conversation, const std::tm& now) const;

    // The switches that it reads, such as enable_thinking, with their usual values.
    const std::vector<TemplateChoice>& choices() const;

private:
    struct Impl;
    explicit ChatTemplate(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace ep::text

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <ctime>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace ep::text {

struct ChatMessage {
    std::string role; // "system", "user", "assistant"
    std::string content;

    bool operator==(const ChatMessage&) const = default;
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
    // the special tokens: encode it without adding them. Unsupported, with the template's message,
    // if the template refuses the messages (some accept no system message).
    Result<std::string> render(std::span<const ChatMessage> messages) const; // now
    Result<std::string> render(std::span<const ChatMessage> messages, const std::tm& now) const;

private:
    struct Impl;
    explicit ChatTemplate(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

// Formats a prompt as a single user message, after a system message if that is not empty.
Result<std::string> renderPrompt(const ChatTemplate& chat, const std::string& system,
                                 const std::string& prompt);

} // namespace ep::text

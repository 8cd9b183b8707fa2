// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <ctime>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace ep::model {

struct ChatMessage {
    std::string role; // "system", "user", "assistant"
    std::string content;

    bool operator==(const ChatMessage&) const = default;
};

// How a model wants a conversation to be written: the Jinja template that comes with it. Immutable,
// so it may be shared between threads. Needs no LibTorch.
class ChatTemplate {
public:
    // Whether the folder seems to have one; reads no template, only looks for it.
    static bool existsIn(const std::filesystem::path& folder);

    // Reads chat_template.jinja, else chat_template.json, else the chat_template of
    // tokenizer_config.json (of several named ones "default"), and the special tokens beside it.
    // NotFound when the model has none, InvalidInput with the line when it is broken.
    static Result<std::shared_ptr<const ChatTemplate>> load(const std::filesystem::path& folder);

    ~ChatTemplate();

    // The text of the conversation, followed by what begins the model's answer. It holds the
    // special tokens already: encode it without adding them. Unsupported, in the template's words,
    // when the template refuses the messages (some know no system message).
    Result<std::string> render(std::span<const ChatMessage> messages) const; // now
    Result<std::string> render(std::span<const ChatMessage> messages, const std::tm& now) const;

private:
    struct Impl;
    explicit ChatTemplate(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

// A prompt as the one message of a person, after a system message if there is one.
Result<std::string> renderPrompt(const ChatTemplate& chat, const std::string& system,
                                 const std::string& prompt);

} // namespace ep::model

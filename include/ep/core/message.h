// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep {

// A sentence or phrase for people: an English pattern, and the arguments that replace %1 to %9 in
// it. The code that finds a fact creates the message; the terminal, JSON and the database use its
// English text, and the window translates the pattern and the arguments.
class Message {
public:
    Message() = default;
    // A text without variable parts, or a name.
    Message(std::string text)
        : m_pattern(std::move(text))
    {
    }
    Message(const char* text)
        : m_pattern(text)
    {
    }
    Message(std::string_view text)
        : m_pattern(text)
    {
    }
    // {"%1 of %2 rows have no value in %3.", 4, rows, column}: arguments are whole numbers, texts
    // or messages.
    template <typename First, typename... Rest>
    Message(const char* pattern, const First& first, const Rest&... rest)
        : m_pattern(pattern)
        , m_arguments{argument(first), argument(rest)...}
    {
    }
    Message(const char* pattern, std::vector<Message> arguments)
        : m_pattern(pattern)
        , m_arguments(std::move(arguments))
    {
    }
    Message(std::string pattern, std::vector<Message> arguments)
        : m_pattern(std::move(pattern))
        , m_arguments(std::move(arguments))
    {
    }

    const std::string& pattern() const { return m_pattern; }
    const std::vector<Message>& arguments() const { return m_arguments; }
    bool empty() const { return m_pattern.empty(); }

    std::string english() const;
    operator std::string() const { return english(); }

    bool operator==(const Message&) const = default;
    // Compares the English text.
    bool operator==(const std::string& text) const { return english() == text; }
    bool operator==(std::string_view text) const { return english() == text; }
    bool operator==(const char* text) const { return english() == text; }

private:
    template <typename T>
    static Message argument(const T& value)
    {
        if constexpr (std::integral<T>)
            return Message(std::to_string(value));
        else
            return Message(value);
    }

    std::string m_pattern;
    std::vector<Message> m_arguments;
};

std::ostream& operator<<(std::ostream& out, const Message& message);

// Joins all parts that are not empty into one message, with `between` between any two: "%1, %2".
Message sequence(std::vector<Message> parts, std::string_view between = " ");

// Replaces %1 to %9 in the pattern by the parts; a place without a part is left as it is.
std::string filled(std::string_view pattern, const std::vector<std::string>& parts);

} // namespace ep

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep {

// A sentence or phrase for people: an English pattern, and what takes the places of %1 to %9 in it.
// Where a fact arises, a message is made of it; terminal, JSON and database take its English, the
// window translates the pattern and the arguments.
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

// One message of all that are not empty, with `between` any two: "%1, %2".
Message sequence(std::vector<Message> parts, std::string_view between = " ");

// The pattern with the parts in the places of %1 to %9; places without a part are left as they are.
std::string filled(std::string_view pattern, const std::vector<std::string>& parts);

} // namespace ep

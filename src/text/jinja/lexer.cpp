// SPDX-License-Identifier: GPL-3.0-or-later
#include "lexer.h"

#include "characters.h"
#include "literals.h"
#include "render_limits.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ep::text::jinja {

namespace {

using Kind = Token::Kind;

// Longest first.
constexpr std::array<std::string_view, 25> kOperators{
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[",
    "]",  "(",  ")",  "{",  "}",  ">",  "<", "=", ".", ":", "|", ","};

bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
        || static_cast<unsigned char>(c) >= 0x80;
}

bool isNamePart(char c)
{
    return isNameStart(c) || (c >= '0' && c <= '9');
}

std::string withPlainNewlines(std::string_view source)
{
    std::string text;
    text.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] != '\r') {
            text += source[i];
            continue;
        }
        text += '\n';
        if (i + 1 < source.size() && source[i + 1] == '\n')
            ++i;
    }
    if (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

class Lexer {
public:
    explicit Lexer(std::string_view source)
        : m_text(withPlainNewlines(source))
    {
    }

    std::vector<Token> run()
    {
        while (m_at < m_text.size())
            readText();
        push(Kind::End, {});
        return std::move(m_tokens);
    }

private:
    [[noreturn]] void fail(const std::string& message) const { throw Failure(message, m_line); }
    std::string_view rest() const { return std::string_view(m_text).substr(m_at); }
    bool startsWith(std::string_view text) const { return rest().starts_with(text); }
    void push(Kind kind, std::string text)
    {
        Token token;
        token.kind = kind;
        token.text = std::move(text);
        token.line = m_line;
        m_tokens.push_back(std::move(token));
    }
    void skip(std::size_t bytes)
    {
        m_line += static_cast<int>(
            std::count(m_text.begin() + static_cast<std::ptrdiff_t>(m_at),
                       m_text.begin() + static_cast<std::ptrdiff_t>(m_at + bytes), '\n'));
        m_at += bytes;
        m_lineStarts = m_at > 0 && m_text[m_at - 1] == '\n';
    }
    void skipSpace() { skip(rest().size() - stripLeft(rest()).size()); }
    void skipNewline() { skip(startsWith("\n") ? 1 : 0); }

    // The position of the next tag, or the end of the template.
    std::size_t findTag() const
    {
        std::size_t at = m_text.find('{', m_at);
        while (at != std::string::npos && at + 1 < m_text.size()) {
            const char next = m_text[at + 1];
            if (next == '{' || next == '%' || next == '#')
                return at;
            at = m_text.find('{', at + 1);
        }
        return m_text.size();
    }

    // Adds the text before a tag, without the space that the tag removes. `sign` is the character
    // after the opening of the tag.
    void pushText(std::string_view text, char sign, bool isPrint)
    {
        if (sign == '-') {
            text = stripRight(text);
        } else if (sign != '+' && !isPrint) {
            const std::size_t newline = text.rfind('\n');
            const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
            if ((begin > 0 || m_lineStarts) && stripRight(text.substr(begin)).empty())
                text = text.substr(0, begin);
        }
        if (!text.empty())
            push(Kind::Text, std::string(text));
    }

    void readText()
    {
        const std::size_t tag = findTag();
        const std::string_view text = std::string_view(m_text).substr(m_at, tag - m_at);
        if (tag == m_text.size()) {
            push(Kind::Text, std::string(text));
            skip(text.size());
            return;
        }
        const char type = m_text[tag + 1];
        const char sign = tag + 2 < m_text.size() ? m_text[tag + 2] : '\0';
        const bool hasSign = sign == '-' || sign == '+';
        pushText(text, hasSign ? sign : '\0', type == '{');
        skip(text.size() + 2 + (hasSign ? 1 : 0));
        if (type == '#')
            skipComment();
        else if (type == '%' && isBlock("raw"))
            readRaw();
        else
            readTag(type == '{');
    }

    // Whether the tag that begins here consists only of `name`.
    bool isBlock(std::string_view name) const
    {
        std::string_view tag = stripLeft(rest());
        if (!tag.starts_with(name))
            return false;
        tag = stripLeft(tag.substr(name.size()));
        return tag.starts_with("%}") || tag.starts_with("-%}") || tag.starts_with("+%}");
    }

    void skipComment()
    {
        const std::size_t end = m_text.find("#}", m_at);
        if (end == std::string::npos)
            fail("a comment is not closed: \"#}\" is missing");
        const char sign = end > m_at ? m_text[end - 1] : '\0';
        skip(end + 2 - m_at);
        if (sign == '-')
            skipSpace();
        else if (sign != '+')
            skipNewline();
    }

    // Skips the end of a block tag and the space after it.
    void skipBlockEnd(bool trims)
    {
        const bool strips = startsWith("-");
        const bool keeps = startsWith("+");
        skip(strips || keeps ? 3 : 2);
        if (strips)
            skipSpace();
        else if (trims && !keeps)
            skipNewline();
    }

    void readRaw()
    {
        skipSpace();
        skip(3);
        skipSpace();
        skipBlockEnd(false);
        const std::size_t begin = m_at;
        for (std::size_t tag = m_text.find("{%", m_at); tag != std::string::npos;
             tag = m_text.find("{%", tag + 2)) {
            const char sign = tag + 2 < m_text.size() ? m_text[tag + 2] : '\0';
            const bool hasSign = sign == '-' || sign == '+';
            m_at = tag + (hasSign ? 3 : 2);
            const bool ends = isBlock("endraw");
            m_at = begin;
            if (!ends)
                continue;
            const std::string_view text = std::string_view(m_text).substr(begin, tag - begin);
            pushText(text, hasSign ? sign : '\0', false);
            skip(text.size() + (hasSign ? 3 : 2));
            skipSpace();
            skip(6);
            skipSpace();
            skipBlockEnd(true);
            return;
        }
        fail("a raw block is not closed: \"{% endraw %}\" is missing");
    }

    void readTag(bool isPrint)
    {
        push(isPrint ? Kind::BeginPrint : Kind::BeginBlock, {});
        const int line = m_line;
        std::string open; // brackets
        for (;;) {
            skipSpace();
            if (m_at >= m_text.size()) {
                throw Failure(std::string("a tag is not closed: \"") + (isPrint ? "}}" : "%}")
                                  + "\" is missing",
                              line);
            }
            if (open.empty() && endTag(isPrint))
                return;
            readToken(open);
        }
    }

    bool endTag(bool isPrint)
    {
        if (!isPrint) {
            if (!startsWith("%}") && !startsWith("-%}") && !startsWith("+%}"))
                return false;
            push(Kind::EndBlock, {});
            skipBlockEnd(true);
            return true;
        }
        const bool strips = startsWith("-}}");
        if (!strips && !startsWith("}}"))
            return false;
        push(Kind::EndPrint, {});
        skip(strips ? 3 : 2);
        if (strips)
            skipSpace();
        return true;
    }

    void readToken(std::string& open)
    {
        const char c = m_text[m_at];
        if (c == '"' || c == '\'') {
            const std::size_t bytes = quotedBytes(rest());
            if (bytes == 0)
                fail("a string is not closed");
            push(Kind::String, unescaped(rest().substr(1, bytes - 2)));
            skip(bytes);
        } else if (c >= '0' && c <= '9') {
            readNumber();
        } else if (isNameStart(c)) {
            const std::string_view text = rest();
            const auto* const end = std::find_if_not(text.begin(), text.end(), isNamePart);
            const auto bytes = static_cast<std::size_t>(end - text.begin());
            push(Kind::Name, std::string(text.substr(0, bytes)));
            skip(bytes);
        } else {
            readOperator(open);
        }
    }

    void readNumber()
    {
        const auto number = numberAt(rest());
        if (!number)
            fail("a number is too large");
        Token token;
        token.kind = number->isFloat ? Kind::Float : Kind::Integer;
        token.line = m_line;
        token.text = std::string(rest().substr(0, number->bytes));
        token.integer = number->integer;
        token.number = number->number;
        m_tokens.push_back(std::move(token));
        skip(number->bytes);
    }

    void readOperator(std::string& open)
    {
        const auto* const found = std::find_if(kOperators.begin(), kOperators.end(),
                                               [&](std::string_view o) { return startsWith(o); });
        if (found == kOperators.end()) {
            fail("the character \"" + std::string(charactersOf(rest().substr(0, 4)).front())
                 + "\" is not expected in a tag");
        }
        const char c = found->front();
        if (c == '(' || c == '[' || c == '{') {
            open += c;
        } else if (c == ')' || c == ']' || c == '}') {
            const char wanted = c == ')' ? '(' : (c == ']' ? '[' : '{');
            if (open.empty() || open.back() != wanted)
                fail(std::string("\"") + c + "\" closes nothing");
            open.pop_back();
        }
        push(Kind::Operator, std::string(*found));
        skip(found->size());
    }

    std::string m_text;
    std::size_t m_at = 0;
    int m_line = 1;
    bool m_lineStarts = true;
    std::vector<Token> m_tokens;
};

} // namespace

std::vector<Token> tokensOfTemplate(std::string_view source)
{
    return Lexer(source).run();
}

std::string described(const Token& token)
{
    switch (token.kind) {
    case Token::Kind::End:
        return "the end of the template";
    case Token::Kind::EndBlock:
        return "the end of the tag";
    case Token::Kind::EndPrint:
        return "the end of the expression";
    case Token::Kind::String:
        return "a string";
    default:
        return "\"" + token.text + "\"";
    }
}

} // namespace ep::text::jinja

// SPDX-License-Identifier: GPL-3.0-or-later
#include "word_wrap.h"

#include "characters.h"

#include <algorithm>

namespace ep::text::jinja {

namespace {

bool isBlank(char32_t c)
{
    return c == U'\t' || c == U'\n' || c == U'\v' || c == U'\f' || c == U'\r' || c == U' ';
}
bool isWordPart(char32_t c)
{
    return isLetter(c) || isDigit(c) || c == U'_';
}
bool isWordLetter(char32_t c)
{
    return isWordPart(c) && !isDigit(c);
}

// Divides a line into words and the blanks between them. A word may be broken after a hyphen
// between letters, and before and after a dash of several hyphens.
class Chunks {
public:
    Chunks(std::string_view line, bool hyphens)
        : m_hyphens(hyphens)
    {
        for (const std::string_view character : charactersOf(line))
            m_text.push_back(codePointOf(character));
    }

    // Parts of this object's text.
    std::vector<std::u32string_view> divide() const
    {
        std::vector<std::u32string_view> chunks;
        for (std::size_t begin = 0; begin < m_text.size();) {
            const std::size_t end = endOf(begin);
            chunks.push_back(std::u32string_view(m_text).substr(begin, end - begin));
            begin = end;
        }
        return chunks;
    }

private:
    char32_t at(std::size_t i) const { return i < m_text.size() ? m_text[i] : U'\0'; }

    // Whether a dash of several hyphens, followed by a word, begins here.
    std::size_t dashAt(std::size_t i) const
    {
        std::size_t end = i;
        while (at(end) == U'-')
            ++end;
        return end - i >= 2 && end < m_text.size() && isWordPart(m_text[end]) ? end : 0;
    }
    bool mayPrecedeDash(std::size_t i) const
    {
        constexpr std::u32string_view kSigns = U"!\"'&.,?";
        return i > 0
            && (isWordPart(m_text[i - 1]) || kSigns.find(m_text[i - 1]) != std::u32string::npos);
    }
    // Whether a word may be broken after the hyphen at i.
    bool breaksBehind(std::size_t i) const
    {
        if (at(i) != U'-' || i < 2 || !isWordLetter(m_text[i - 1]))
            return false;
        const bool before = isWordLetter(m_text[i - 2])
            || (i >= 3 && m_text[i - 2] == U'-' && isWordLetter(m_text[i - 3]));
        const std::size_t second = at(i + 2) == U'-' ? i + 3 : i + 2;
        return before && i + 1 < m_text.size() && isWordLetter(m_text[i + 1])
            && second < m_text.size() && isWordLetter(m_text[second]);
    }

    std::size_t endOf(std::size_t begin) const
    {
        std::size_t end = begin;
        if (isBlank(m_text[begin])) {
            while (end < m_text.size() && isBlank(m_text[end]))
                ++end;
            return end;
        }
        if (!m_hyphens) {
            while (end < m_text.size() && !isBlank(m_text[end]))
                ++end;
            return end;
        }
        if (mayPrecedeDash(begin) && dashAt(begin) != 0)
            return dashAt(begin);
        for (end = begin + 1; end < m_text.size() && !isBlank(m_text[end]); ++end) {
            if (breaksBehind(end))
                return end + 1;
            if (mayPrecedeDash(end) && dashAt(end) != 0)
                return end;
        }
        return end;
    }

    bool m_hyphens;
    std::u32string m_text;
};

bool onlyBlanks(std::u32string_view chunk)
{
    return std::all_of(chunk.begin(), chunk.end(), [](char32_t c) { return isSpace(c); });
}

// Where to break a word that is longer than a line.
std::size_t breakOf(std::u32string_view word, std::size_t space, bool hyphens)
{
    if (!hyphens || word.size() <= space)
        return space;
    const std::size_t hyphen = space == 0 ? std::u32string_view::npos : word.rfind(U'-', space - 1);
    const bool inside = hyphen != std::u32string_view::npos
        && word.substr(0, hyphen).find_first_not_of(U'-') != std::u32string_view::npos;
    return inside ? hyphen + 1 : space;
}

std::string textOfChunks(const std::vector<std::u32string_view>& chunks)
{
    std::string text;
    for (const std::u32string_view chunk : chunks) {
        for (const char32_t c : chunk)
            appendCodePoint(text, c);
    }
    return text;
}

} // namespace

std::vector<std::string> wrapped(std::string_view line, const WrapStyle& style)
{
    const auto width = static_cast<std::size_t>(style.width);
    const Chunks divided(line, style.break_on_hyphens);
    std::vector<std::u32string_view> chunks = divided.divide();
    std::reverse(chunks.begin(), chunks.end()); // so that the next chunk is the last element
    std::vector<std::string> lines;
    while (!chunks.empty()) {
        std::vector<std::u32string_view> current;
        std::size_t size = 0;
        if (!lines.empty() && onlyBlanks(chunks.back()))
            chunks.pop_back();
        while (!chunks.empty() && size + chunks.back().size() <= width) {
            size += chunks.back().size();
            current.push_back(chunks.back());
            chunks.pop_back();
        }
        if (!chunks.empty() && chunks.back().size() > width) {
            if (style.break_long_words) {
                const std::size_t end =
                    breakOf(chunks.back(), width - size, style.break_on_hyphens);
                current.push_back(chunks.back().substr(0, end));
                chunks.back().remove_prefix(end);
            } else if (current.empty()) {
                current.push_back(chunks.back());
                chunks.pop_back();
            }
        }
        if (!current.empty() && onlyBlanks(current.back()))
            current.pop_back();
        if (!current.empty())
            lines.push_back(textOfChunks(current));
    }
    return lines;
}

} // namespace ep::text::jinja

// SPDX-License-Identifier: GPL-3.0-or-later
#include "charsmap.h"

#include "unicode.h"

#include "ep/core/utf8.h"

#include <utf8proc.h>

#include <array>

namespace ep::text {

namespace {

constexpr std::size_t longestGrapheme = 5; // longer ones are replaced character by character

int base64Value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+')
        return 62;
    return c == '/' ? 63 : -1;
}

std::optional<std::string> fromBase64(std::string_view text)
{
    while (!text.empty() && text.back() == '=')
        text.remove_suffix(1);
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    std::uint32_t pending = 0;
    int bits = 0;
    for (const char c : text) {
        const int value = base64Value(c);
        if (value < 0)
            return std::nullopt;
        pending = ((pending << 6U) | static_cast<std::uint32_t>(value)) & 0xffffU;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes.push_back(static_cast<char>((pending >> static_cast<unsigned>(bits)) & 0xffU));
        }
    }
    return bytes;
}

std::uint32_t littleEndian(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;)
        value = (value << 8U) | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

// Layout of a unit of the trie.
bool hasLeaf(std::uint32_t unit)
{
    return ((unit >> 8U) & 1U) == 1U;
}
std::uint32_t label(std::uint32_t unit)
{
    return unit & 0x800000ffU;
}
std::uint32_t offset(std::uint32_t unit)
{
    return (unit >> 10U) << ((unit & 0x200U) >> 6U);
}

// End of the grapheme that begins at `at`.
std::size_t graphemeEnd(std::string_view text, std::size_t at)
{
    utf8proc_int32_t state = 0;
    CodePoint previous = firstCodePoint(text.substr(at));
    at += previous.length;
    while (at < text.size()) {
        const CodePoint next = firstCodePoint(text.substr(at));
        if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(previous.value),
                                             static_cast<utf8proc_int32_t>(next.value), &state)) {
            break;
        }
        previous = next;
        at += next.length;
    }
    return at;
}

} // namespace

Charsmap::Charsmap(const json::Value& base64)
{
    const std::optional<std::string> bytes = fromBase64(base64.asString());
    if (!bytes)
        base64.fail("is not valid base64");
    if (bytes->empty())
        return;
    if (bytes->size() < 4)
        base64.fail("is too short");
    const std::size_t units = littleEndian(*bytes, 0) / 4;
    if (units == 0 || units > (bytes->size() - 4) / 4)
        base64.fail("does not hold the trie that it announces");
    m_trie.reserve(units);
    for (std::size_t i = 0; i < units; ++i)
        m_trie.push_back(littleEndian(*bytes, 4 + i * 4));
    m_replacements = bytes->substr(4 + units * 4);
    if (!isValidUtf8(m_replacements))
        base64.fail("holds replacements that are not UTF-8");
}

// Finds the shortest rule that is a prefix of the chunk; it replaces all of the chunk.
std::optional<std::string_view> Charsmap::replacementOf(std::string_view chunk) const
{
    std::size_t node = offset(m_trie[0]);
    for (const char byte : chunk) {
        const auto c = static_cast<unsigned char>(byte);
        node ^= c;
        if (c == 0 || node >= m_trie.size() || label(m_trie[node]) != c)
            return std::nullopt;
        const std::uint32_t unit = m_trie[node];
        node ^= offset(unit);
        if (!hasLeaf(unit))
            continue;
        const std::size_t begin = node < m_trie.size() ? m_trie[node] & 0x7fffffffU : SIZE_MAX;
        if (begin > m_replacements.size())
            return std::nullopt;
        const std::size_t end = m_replacements.find('\0', begin);
        const std::string_view replacement =
            std::string_view(m_replacements)
                .substr(begin, end == std::string::npos ? end : end - begin);
        return isValidUtf8(replacement) ? std::optional(replacement) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<std::string> Charsmap::apply(std::string_view text, const TextBudget& budget) const
{
    if (m_trie.empty())
        return std::string(text);
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = graphemeEnd(text, at);
        const std::string_view grapheme = text.substr(at, end - at);
        at = end;
        if (!budget.allows(result.size()))
            return std::nullopt;
        if (grapheme.size() <= longestGrapheme) {
            if (const auto replacement = replacementOf(grapheme)) {
                result += *replacement;
                continue;
            }
        }
        for (std::size_t i = 0; i < grapheme.size();) {
            const std::size_t length = firstCodePoint(grapheme.substr(i)).length;
            const std::string_view part = grapheme.substr(i, length);
            result += replacementOf(part).value_or(part);
            i += length;
        }
    }
    return result;
}

} // namespace ep::text

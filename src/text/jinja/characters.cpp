// SPDX-License-Identifier: GPL-3.0-or-later
#include "characters.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdint>

namespace ep::text::jinja {
namespace {

utf8proc_category_t categoryOf(char32_t c)
{
    return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

char32_t simpleUpper(char32_t c)
{
    return static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(c)));
}

char32_t simpleLower(char32_t c)
{
    return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

char32_t simpleTitle(char32_t c)
{
    return static_cast<char32_t>(utf8proc_totitle(static_cast<utf8proc_int32_t>(c)));
}

constexpr char32_t kSharpS = 0xdf; // the only common letter with a two-letter capital

std::vector<std::string_view> sortedCharacters(const std::string* text)
{
    std::vector<std::string_view> characters = charactersOf(text ? *text : std::string_view());
    std::sort(characters.begin(), characters.end());
    return characters;
}

bool isStripped(std::string_view character, const std::vector<std::string_view>* wanted)
{
    if (!wanted)
        return isSpace(codePointOf(character));
    return std::binary_search(wanted->begin(), wanted->end(), character);
}

std::size_t lastCharacter(std::string_view text)
{
    std::size_t begin = text.size() - 1;
    while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xc0U) == 0x80U)
        --begin;
    return begin;
}

constexpr std::size_t kShort = 16; // bytes up to which std::string's functions are the faster ones

// For each prefix of the text, the length of the longest shorter prefix that it ends with (Knuth,
// Morris and Pratt).
std::vector<std::uint32_t> bordersOf(std::string_view text)
{
    std::vector<std::uint32_t> borders(text.size());
    std::uint32_t length = 0;
    for (std::size_t i = 1; i < text.size(); ++i) {
        while (length > 0 && text[i] != text[length])
            length = borders[length - 1];
        length += text[i] == text[length] ? 1 : 0;
        borders[i] = length;
    }
    return borders;
}

} // namespace

std::size_t characterBytes(char first)
{
    const auto byte = static_cast<unsigned char>(first);
    if (byte < 0x80)
        return 1;
    if (byte < 0xe0)
        return 2;
    return byte < 0xf0 ? 3 : 4;
}

std::vector<std::string_view> charactersOf(std::string_view text)
{
    std::vector<std::string_view> characters;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t bytes = std::min(characterBytes(text[at]), text.size() - at);
        characters.push_back(text.substr(at, bytes));
        at += bytes;
    }
    return characters;
}

char32_t codePointOf(std::string_view character)
{
    utf8proc_int32_t c = -1;
    utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(character.data()),
                     static_cast<utf8proc_ssize_t>(character.size()), &c);
    return c < 0 ? U'\uFFFD' : static_cast<char32_t>(c);
}

void appendCodePoint(std::string& text, char32_t c)
{
    const auto value = static_cast<utf8proc_int32_t>(c);
    utf8proc_uint8_t bytes[4];
    const utf8proc_ssize_t count =
        utf8proc_encode_char(utf8proc_codepoint_valid(value) ? value : 0xfffd, bytes);
    text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
}

bool isSpace(char32_t c)
{
    return (c >= 0x9 && c <= 0xd) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0
        || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f
        || c == 0x205f || c == 0x3000;
}

bool isPrintable(char32_t c)
{
    switch (categoryOf(c)) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return false;
    case UTF8PROC_CATEGORY_ZS:
        return c == U' ';
    default:
        return true;
    }
}

bool isLetter(char32_t c)
{
    const utf8proc_category_t category = categoryOf(c);
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool isDigit(char32_t c)
{
    return categoryOf(c) == UTF8PROC_CATEGORY_ND;
}

bool isUpper(char32_t c)
{
    return categoryOf(c) == UTF8PROC_CATEGORY_LU;
}

bool isLower(char32_t c)
{
    return categoryOf(c) == UTF8PROC_CATEGORY_LL;
}

std::string upper(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (const std::string_view character : charactersOf(text)) {
        const char32_t c = codePointOf(character);
        if (c == kSharpS)
            result += "SS";
        else
            appendCodePoint(result, simpleUpper(c));
    }
    return result;
}

std::string lower(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (const std::string_view character : charactersOf(text))
        appendCodePoint(result, simpleLower(codePointOf(character)));
    return result;
}

std::string titled(std::string_view text)
{
    std::string result;
    bool inWord = false;
    for (const std::string_view character : charactersOf(text)) {
        const char32_t c = codePointOf(character);
        appendCodePoint(result, inWord ? simpleLower(c) : simpleTitle(c));
        inWord = isLetter(c);
    }
    return result;
}

std::string capitalized(std::string_view text)
{
    if (text.empty())
        return {};
    const std::size_t first = characterBytes(text.front());
    std::string result;
    appendCodePoint(result, simpleTitle(codePointOf(text.substr(0, first))));
    return result + lower(text.substr(std::min(first, text.size())));
}

std::string_view stripLeft(std::string_view text, const std::string* characters)
{
    const std::vector<std::string_view> wanted = sortedCharacters(characters);
    while (!text.empty()) {
        const std::string_view first = text.substr(0, characterBytes(text.front()));
        if (!isStripped(first, characters ? &wanted : nullptr))
            break;
        text.remove_prefix(first.size());
    }
    return text;
}

std::string_view stripRight(std::string_view text, const std::string* characters)
{
    const std::vector<std::string_view> wanted = sortedCharacters(characters);
    while (!text.empty()) {
        const std::size_t begin = lastCharacter(text);
        if (!isStripped(text.substr(begin), characters ? &wanted : nullptr))
            break;
        text.remove_suffix(text.size() - begin);
    }
    return text;
}

std::string_view strip(std::string_view text, const std::string* characters)
{
    return stripRight(stripLeft(text, characters), characters);
}

std::size_t findFirst(std::string_view text, std::string_view sought, std::size_t from)
{
    if (sought.size() <= kShort || from > text.size() || sought.size() > text.size() - from)
        return text.find(sought, from);
    const std::vector<std::uint32_t> borders = bordersOf(sought);
    std::size_t matched = 0;
    for (std::size_t i = from; i < text.size(); ++i) {
        while (matched > 0 && text[i] != sought[matched])
            matched = borders[matched - 1];
        matched += text[i] == sought[matched] ? 1 : 0;
        if (matched == sought.size())
            return i + 1 - matched;
    }
    return std::string_view::npos;
}

std::size_t findLast(std::string_view text, std::string_view sought)
{
    if (sought.size() <= kShort)
        return text.rfind(sought);
    const std::size_t at = findFirst(std::string(text.rbegin(), text.rend()),
                                     std::string(sought.rbegin(), sought.rend()));
    return at == std::string_view::npos ? at : text.size() - at - sought.size();
}

} // namespace ep::text::jinja

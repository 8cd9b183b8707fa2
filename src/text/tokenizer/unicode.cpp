// SPDX-License-Identifier: GPL-3.0-or-later
#include "unicode.h"

#include "unicode_additions.h"
#include "unicode_age.h"

#include <utf8proc.h>

namespace ep::text {

namespace {

constexpr unsigned char byteAt(std::string_view text, std::size_t i)
{
    return static_cast<unsigned char>(text[i]);
}

// The general category as two letters.
std::string_view category(char32_t c)
{
    const std::string_view name = utf8proc_category_string(static_cast<utf8proc_int32_t>(c));
    if (name != "Cn")
        return name;
    const std::string_view added = addedCategory(c);
    return added.empty() ? name : added;
}

} // namespace

CodePoint firstCodePoint(std::string_view text)
{
    const unsigned char lead = byteAt(text, 0);
    const auto tail = [&](std::size_t i) { return static_cast<char32_t>(byteAt(text, i) & 0x3fU); };
    if (lead < 0x80)
        return {lead, 1};
    if (lead < 0xe0 && text.size() >= 2)
        return {(static_cast<char32_t>(lead & 0x1fU) << 6U) | tail(1), 2};
    if (lead < 0xf0 && text.size() >= 3)
        return {(static_cast<char32_t>(lead & 0x0fU) << 12U) | (tail(1) << 6U) | tail(2), 3};
    if (text.size() >= 4)
        return {(static_cast<char32_t>(lead & 0x07U) << 18U) | (tail(1) << 12U) | (tail(2) << 6U)
                    | tail(3),
                4};
    return {0xfffd, text.size()};
}

CodePoint lastCodePoint(std::string_view text)
{
    std::size_t begin = text.size() - 1;
    while (begin > 0 && (byteAt(text, begin) & 0xc0U) == 0x80U)
        --begin;
    return firstCodePoint(text.substr(begin));
}

void appendUtf8(std::string& text, char32_t c)
{
    const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xc0U | (c >> 6U));
        put(0x80U | (c & 0x3fU));
    } else if (c < 0x10000) {
        put(0xe0U | (c >> 12U));
        put(0x80U | ((c >> 6U) & 0x3fU));
        put(0x80U | (c & 0x3fU));
    } else {
        put(0xf0U | (c >> 18U));
        put(0x80U | ((c >> 12U) & 0x3fU));
        put(0x80U | ((c >> 6U) & 0x3fU));
        put(0x80U | (c & 0x3fU));
    }
}

std::string toUtf8(char32_t codePoint)
{
    std::string text;
    appendUtf8(text, codePoint);
    return text;
}

bool isWhiteSpace(char32_t c)
{
    if (c < 0x80)
        return c == ' ' || (c >= '\t' && c <= '\r');
    return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028
        || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool isNumeric(char32_t c)
{
    return category(c)[0] == 'N';
}

bool isPunctuation(char32_t c)
{
    if (c < 0x80) {
        return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`')
            || (c >= '{' && c <= '~');
    }
    return category(c)[0] == 'P' && !isNewPunctuation(c);
}

bool isAccent(char32_t c)
{
    const bool wasMark = c == 0x1cf2 || c == 0x1cf3; // until Unicode 12
    return wasMark || (category(c)[0] == 'M' && !isNewMark(c));
}

bool isAccentOfBert(char32_t c)
{
    constexpr char32_t wasNonSpacing = 0x1734; // until Unicode 14
    return c == wasNonSpacing || (category(c) == "Mn" && !isNewMarkOfBert(c));
}

bool isControlOfBert(char32_t c)
{
    const std::string_view of = category(c);
    return of == "Cc" || of == "Co" || (of == "Cf" && !isNewFormat(c));
}

bool isWord(char32_t c)
{
    const std::string_view of = category(c);
    if (of[0] == 'L' || of[0] == 'M' || of == "Nd" || of == "Nl" || of == "Pc")
        return true;
    // Alphabetic symbols (circled and squared letters) and the two joiners.
    return (c >= 0x24b6 && c <= 0x24e9) || (c >= 0x1f130 && c <= 0x1f149)
        || (c >= 0x1f150 && c <= 0x1f169) || (c >= 0x1f170 && c <= 0x1f189) || c == 0x200c
        || c == 0x200d;
}

void appendLowerCase(std::string& text, char32_t c)
{
    if (c == 0x130) { // the only character with a two-character lower case in every language
        appendUtf8(text, 'i');
        appendUtf8(text, 0x307);
        return;
    }
    if (const char32_t lower = addedLowerCase(c)) {
        appendUtf8(text, lower);
        return;
    }
    appendUtf8(text, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))));
}

} // namespace ep::text

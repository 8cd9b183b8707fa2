// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/utf8.h"

#include <algorithm>
#include <cstdint>

namespace ep {

namespace {

// Classifies the first bytes, by Unicode's table 3-7 (well-formed UTF-8 sequences).
struct Unit {
    std::size_t length = 0; // length of the sequence or of the maximal invalid part; 0 at the end
    bool valid = false;
};

Unit firstUnit(std::string_view bytes)
{
    if (bytes.empty())
        return {};
    const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
    const std::uint8_t lead = at(0);
    if (lead < 0x80)
        return {1, true};
    if (lead < 0xC2 || lead > 0xF4)
        return {1, false};

    const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    // The second byte's range excludes overlong forms, surrogates and values above U+10FFFF.
    std::uint8_t low = 0x80;
    std::uint8_t high = 0xBF;
    if (lead == 0xE0)
        low = 0xA0;
    else if (lead == 0xED)
        high = 0x9F;
    else if (lead == 0xF0)
        low = 0x90;
    else if (lead == 0xF4)
        high = 0x8F;

    for (std::size_t i = 1; i < length; ++i) {
        if (i >= bytes.size() || at(i) < low || at(i) > high)
            return {i, false};
        low = 0x80;
        high = 0xBF;
    }
    return {length, true};
}

// The lower-case letter of a letter below U+0800, for simple mappings.
std::uint32_t smallLetter(std::uint32_t letter)
{
    const auto within = [letter](std::uint32_t first, std::uint32_t last) {
        return first <= letter && letter <= last;
    };
    if ((within(0xC0, 0xDE) && letter != 0xD7) || within(0x391, 0x3A9) || within(0x410, 0x42F))
        return letter + 0x20;
    if (within(0x400, 0x40F))
        return letter + 0x50;
    // Latin Extended-A: pairs of an upper-case and a lower-case letter.
    if (within(0x100, 0x12F) || within(0x132, 0x137) || within(0x14A, 0x177))
        return letter | 1U;
    if (within(0x139, 0x148) || within(0x179, 0x17E))
        return letter % 2 == 1 ? letter + 1 : letter;
    return letter;
}

} // namespace

std::size_t validUtf8Prefix(std::string_view bytes)
{
    std::size_t position = 0;
    for (;;) {
        const Unit unit = firstUnit(bytes.substr(position));
        if (!unit.valid)
            return position;
        position += unit.length;
    }
}

bool isValidUtf8(std::string_view bytes)
{
    return validUtf8Prefix(bytes) == bytes.size();
}

std::string replaceInvalidUtf8(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size());
    for (std::size_t position = 0; position < bytes.size();) {
        const Unit unit = firstUnit(bytes.substr(position));
        if (unit.valid)
            text += bytes.substr(position, unit.length);
        else
            text += "\xEF\xBF\xBD";
        position += unit.length;
    }
    return text;
}

std::size_t codePointCount(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

std::string_view trimmed(std::string_view text)
{
    return trimmed(text, " \t\r\n");
}

std::string_view trimmed(std::string_view text, std::string_view blanks)
{
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lowerAscii(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        c = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
}

void appendUtf8(std::string& text, char32_t codePoint)
{
    const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
    if (codePoint < 0x80) {
        put(codePoint);
    } else if (codePoint < 0x800) {
        put(0xC0U | (codePoint >> 6U));
        put(0x80U | (codePoint & 0x3FU));
    } else if (codePoint < 0x10000) {
        put(0xE0U | (codePoint >> 12U));
        put(0x80U | ((codePoint >> 6U) & 0x3FU));
        put(0x80U | (codePoint & 0x3FU));
    } else {
        put(0xF0U | (codePoint >> 18U));
        put(0x80U | ((codePoint >> 12U) & 0x3FU));
        put(0x80U | ((codePoint >> 6U) & 0x3FU));
        put(0x80U | (codePoint & 0x3FU));
    }
}

std::string previewUtf8(std::string_view text, std::size_t maxCharacters)
{
    const std::string clean = replaceInvalidUtf8(text);
    std::string preview;
    std::size_t characters = 0;
    for (std::size_t position = 0; position < clean.size(); ++characters) {
        if (characters == maxCharacters)
            return preview + "\xE2\x80\xA6";
        const Unit unit = firstUnit(std::string_view(clean).substr(position));
        const char first = clean[position];
        if (first == '\n' || first == '\r' || first == '\t')
            preview += ' ';
        else
            preview.append(clean, position, unit.length);
        position += unit.length;
    }
    return preview;
}

std::string foldCase(std::string_view text)
{
    std::string folded(text);
    for (std::size_t i = 0; i < folded.size(); ++i) {
        const auto lead = static_cast<std::uint8_t>(folded[i]);
        if ('A' <= lead && lead <= 'Z') {
            folded[i] = static_cast<char>(lead - 'A' + 'a');
        } else if (0xC3 <= lead && lead <= 0xDF && i + 1 < folded.size()
                   && (static_cast<std::uint8_t>(folded[i + 1]) & 0xC0U) == 0x80) {
            const std::uint32_t letter = smallLetter(
                ((lead & 0x1FU) << 6U) | (static_cast<std::uint8_t>(folded[i + 1]) & 0x3FU));
            folded[i] = static_cast<char>(0xC0U | (letter >> 6U));
            folded[++i] = static_cast<char>(0x80U | (letter & 0x3FU));
        }
    }
    return folded;
}

} // namespace ep

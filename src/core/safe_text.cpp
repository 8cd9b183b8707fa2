// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/safe_text.h"

#include "ep/core/utf8.h"

#include <cstdint>
#include <cstdio>

namespace ep {

namespace {

constexpr std::string_view kReplacement = "\uFFFD";

// One character of valid UTF-8.
struct Character {
    char32_t code = 0;
    std::string_view bytes;
};

Character firstOf(std::string_view text)
{
    const auto lead = static_cast<std::uint8_t>(text.front());
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t code = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i)
        code = (code << 6U) | (static_cast<std::uint8_t>(text[i]) & 0x3FU);
    return {code, text.substr(0, length)};
}

// Calls append(character) for each character; invalid bytes become U+FFFD.
template <typename Append>
void forEachCharacter(std::string_view text, const Append& append)
{
    const std::string valid = replaceInvalidUtf8(text);
    for (std::string_view rest = valid; !rest.empty();) {
        const Character character = firstOf(rest);
        append(character);
        rest.remove_prefix(character.bytes.size());
    }
}

bool isBidiControl(char32_t code)
{
    return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E)
        || (code >= 0x2066 && code <= 0x2069);
}

bool steersTerminal(char32_t code)
{
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0)
        || isBidiControl(code);
}

// XML 1.0 allows the C1 controls, but HTML does not, and a terminal obeys them when it prints the
// file.
bool isAllowedInXml(char32_t code)
{
    return code == '\r' || (!steersTerminal(code) && code != 0xFFFE && code != 0xFFFF);
}

} // namespace

std::string terminalText(std::string_view text)
{
    std::string clean;
    clean.reserve(text.size());
    forEachCharacter(text, [&](const Character& character) {
        clean += steersTerminal(character.code) ? kReplacement : character.bytes;
    });
    return clean;
}

std::string terminalJson(std::string_view json)
{
    std::string clean;
    clean.reserve(json.size());
    forEachCharacter(json, [&](const Character& character) {
        if (!steersTerminal(character.code) || character.code == '\r') {
            clean += character.bytes;
            return;
        }
        char escape[16]; // all are below U+10000, so 7 bytes suffice
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(character.code));
        clean += escape;
    });
    return clean;
}

std::string xmlText(std::string_view text)
{
    std::string escaped;
    escaped.reserve(text.size());
    forEachCharacter(text, [&](const Character& character) {
        switch (character.code) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        case '\'':
            escaped += "&#39;";
            break;
        default:
            escaped += isAllowedInXml(character.code) ? character.bytes : kReplacement;
        }
    });
    return escaped;
}

bool isFormula(std::string_view text)
{
    return !text.empty()
        && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

std::string csvCell(std::string_view text, CsvText formulas)
{
    std::string cell = formulas == CsvText::Quoted && isFormula(text) ? "'" : "";
    cell += text;
    if (cell.find_first_of(",\"\r\n") == std::string::npos)
        return cell;
    std::string quoted = "\"";
    for (const char c : cell) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

} // namespace ep

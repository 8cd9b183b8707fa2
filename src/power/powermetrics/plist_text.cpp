// SPDX-License-Identifier: GPL-3.0-or-later
#include "powermetrics/plist_text.h"

#include "ep/core/utf8.h"

#include <algorithm>

namespace ep::power {

namespace {
bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '#';
}

// Whether the text after an ampersand makes it a reference, such as `amp;` or `#38;`.
bool isReference(std::string_view rest)
{
    constexpr std::size_t kLongestReference = 10;
    std::size_t i = 0;
    while (i < std::min(rest.size(), kLongestReference) && isNameCharacter(rest[i]))
        ++i;
    return i > 0 && i < rest.size() && rest[i] == ';';
}
} // namespace

std::string repairPlistText(std::string_view xml)
{
    std::string repaired;
    repaired.reserve(xml.size() + 64);
    for (std::size_t i = 0; i < xml.size(); ++i) {
        const char c = xml[i];
        const bool control =
            static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r' && c != '\n';
        repaired.push_back(control ? '?' : c);
        if (c == '&' && !isReference(xml.substr(i + 1)))
            repaired += "amp;";
    }
    return replaceInvalidUtf8(repaired);
}

} // namespace ep::power

// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_search.h"

#include <cstdint>
#include <vector>

namespace ep::text::jinja {

namespace {

constexpr std::size_t kShort = 16; // bytes up to which std::string's functions are the faster ones

// For each beginning of the text, the length of its longest other beginning that it ends with
// (Knuth, Morris and Pratt).
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

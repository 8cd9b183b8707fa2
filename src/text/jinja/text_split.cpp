// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_split.h"

#include "characters.h"
#include "runtime.h"
#include "text_search.h"

#include <algorithm>

namespace ep::text::jinja {

std::vector<std::string> splitAtSpace(std::string_view text, std::int64_t limit, bool fromRight)
{
    std::vector<std::string> parts;
    const std::vector<std::string_view> characters = charactersOf(strip(text));
    const std::size_t count = characters.size();
    const auto at = [&](std::size_t i) { return characters[fromRight ? count - 1 - i : i]; };
    const auto space = [&](std::size_t i) { return isSpace(codePointOf(at(i))); };
    // Adds the characters [begin, end), counted from the side where splitting begins.
    const auto add = [&](std::size_t begin, std::size_t end) {
        const std::string_view first = at(fromRight ? end - 1 : begin);
        const std::string_view last = at(fromRight ? begin : end - 1);
        parts.emplace_back(first.data(), last.data() + last.size());
    };
    for (std::size_t begin = 0; begin < count;) {
        if (limit >= 0 && static_cast<std::int64_t>(parts.size()) >= limit) {
            add(begin, count);
            break;
        }
        std::size_t end = begin;
        while (end < count && !space(end))
            ++end;
        add(begin, end);
        begin = end;
        while (begin < count && space(begin))
            ++begin;
    }
    if (fromRight)
        std::reverse(parts.begin(), parts.end());
    return parts;
}

std::vector<std::string> splitAt(std::string_view text, const std::string& separator,
                                 std::int64_t limit, bool fromRight)
{
    if (separator.empty())
        throw Failure("an empty text cannot separate");
    std::vector<std::string> parts;
    if (fromRight) {
        parts = splitAt(std::string(text.rbegin(), text.rend()),
                        std::string(separator.rbegin(), separator.rend()), limit, false);
        for (std::string& part : parts)
            std::reverse(part.begin(), part.end());
        std::reverse(parts.begin(), parts.end());
        return parts;
    }
    while (limit < 0 || static_cast<std::int64_t>(parts.size()) < limit) {
        const std::size_t at = findFirst(text, separator);
        if (at == std::string_view::npos)
            break;
        parts.emplace_back(text.substr(0, at));
        text.remove_prefix(at + separator.size());
    }
    parts.emplace_back(text);
    return parts;
}

} // namespace ep::text::jinja

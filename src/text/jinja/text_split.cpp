// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_split.h"

#include "characters.h"
#include "runtime.h"

#include <algorithm>

namespace ep::text::jinja {

std::vector<std::string> splitAtSpace(std::string_view text, std::int64_t limit, bool fromRight)
{
    std::vector<std::string> parts;
    text = strip(text);
    while (!text.empty()) {
        if (limit >= 0 && static_cast<std::int64_t>(parts.size()) >= limit) {
            parts.emplace_back(text);
            break;
        }
        const auto characters = charactersOf(text);
        std::size_t bytes = 0;
        if (fromRight) {
            for (auto c = characters.rbegin(); c != characters.rend() && !isSpace(codePointOf(*c));
                 ++c)
                bytes += c->size();
            parts.emplace_back(text.substr(text.size() - bytes));
            text = stripRight(text.substr(0, text.size() - bytes));
        } else {
            for (auto c = characters.begin(); c != characters.end() && !isSpace(codePointOf(*c));
                 ++c)
                bytes += c->size();
            parts.emplace_back(text.substr(0, bytes));
            text = stripLeft(text.substr(bytes));
        }
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
    while (limit < 0 || static_cast<std::int64_t>(parts.size()) < limit) {
        const std::size_t at = fromRight ? text.rfind(separator) : text.find(separator);
        if (at == std::string_view::npos)
            break;
        if (fromRight) {
            parts.emplace_back(text.substr(at + separator.size()));
            text = text.substr(0, at);
        } else {
            parts.emplace_back(text.substr(0, at));
            text = text.substr(at + separator.size());
        }
    }
    parts.emplace_back(text);
    if (fromRight)
        std::reverse(parts.begin(), parts.end());
    return parts;
}

} // namespace ep::text::jinja

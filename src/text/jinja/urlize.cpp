// SPDX-License-Identifier: GPL-3.0-or-later
#include "urlize.h"

#include "characters.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ep::text::jinja {

namespace {

using Characters = std::vector<std::string_view>;

bool isAnyOf(std::string_view characters, char c)
{
    return characters.find(c) != std::string_view::npos;
}

bool isWordCharacter(std::string_view character)
{
    const char32_t c = codePointOf(character);
    return c == U'_' || isLetter(c) || isDigit(c);
}

bool isDecimalDigit(std::string_view character)
{
    return isDigit(codePointOf(character));
}

bool isHostCharacter(std::string_view character)
{
    return character == "%" || character == "-" || isWordCharacter(character);
}

bool isHexDigit(std::string_view character)
{
    return isDecimalDigit(character)
        || (character.size() == 1 && isAnyOf("abcdefABCDEF", character.front()));
}

template <typename Test>
bool allAre(std::string_view text, const Test& test)
{
    const Characters characters = charactersOf(text);
    return std::all_of(characters.begin(), characters.end(), test);
}

std::vector<std::string_view> partsOf(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

// The length of the host, before the port and the path.
std::size_t hostLength(std::string_view text)
{
    std::size_t length = 0;
    for (const std::string_view character : charactersOf(text)) {
        if (character != "." && !isHostCharacter(character))
            break;
        length += character.size();
    }
    return length;
}

bool isPortAndPath(std::string_view text)
{
    constexpr std::size_t kMaxDigits = 5;
    if (text.starts_with(':')) {
        text.remove_prefix(1);
        std::size_t digits = 0;
        std::size_t bytes = 0;
        for (const std::string_view character : charactersOf(text)) {
            if (!isDecimalDigit(character))
                break;
            ++digits;
            bytes += character.size();
        }
        if (digits == 0 || digits > kMaxDigits)
            return false;
        text.remove_prefix(bytes);
    }
    return text.empty() || isAnyOf("/?#", text.front());
}

bool isTopLevel(std::string_view name)
{
    const std::size_t count = characterCount(name);
    if (count >= 2 && count <= 63 && allAre(name, [](std::string_view c) {
            return c.size() == 1 && (c[0] | 32) >= 'a' && (c[0] | 32) <= 'z';
        }))
        return true;
    const std::string small = lower(name.substr(0, 4));
    return small == "xn--" && count >= 6 && count <= 63
        && allAre(name.substr(4),
                  [](std::string_view c) { return c == "%" || isWordCharacter(c); });
}

bool isAnyHost(std::string_view host)
{
    auto parts = partsOf(host, '.');
    const std::string_view last = parts.back();
    parts.pop_back();
    return isTopLevel(last) && std::none_of(parts.begin(), parts.end(), [](std::string_view part) {
               return part.empty();
           });
}

// "example.org" without a scheme or "www.".
bool isUsualHost(std::string_view host)
{
    static constexpr std::array<std::string_view, 8> kTops{"com", "net", "int",  "edu",
                                                           "gov", "org", "info", "mil"};
    auto parts = partsOf(host, '.');
    const std::string last = lower(parts.back());
    parts.pop_back();
    return !parts.empty() && std::find(kTops.begin(), kTops.end(), last) != kTops.end()
        && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
               const std::size_t count = characterCount(part);
               return count >= 2 && count <= 63;
           });
}

bool isIpv4(std::string_view host)
{
    const auto parts = partsOf(host, '.');
    return parts.size() == 4 && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
               const std::size_t count = characterCount(part);
               return count >= 1 && count <= 3 && allAre(part, isDecimalDigit);
           });
}

// The content of brackets: two groups with their colons, then one to six more, each with up to
// four digits and an optional colon.
bool isIpv6(std::string_view text)
{
    const Characters characters = charactersOf(text);
    std::size_t at = 0;
    const auto takeDigits = [&] {
        for (int i = 0; i < 4 && at < characters.size() && isHexDigit(characters[at]); ++i)
            ++at;
    };
    const auto takeColon = [&] {
        const bool there = at < characters.size() && characters[at] == ":";
        at += there ? 1 : 0;
        return there;
    };
    for (int group = 0; group < 2; ++group) {
        takeDigits();
        if (!takeColon())
            return false;
    }
    for (int group = 0; group < 6; ++group) {
        takeDigits();
        takeColon();
    }
    return at == characters.size();
}

bool isWebAddress(std::string_view text)
{
    const std::string beginning = lower(text.substr(0, 8));
    const std::size_t scheme = beginning.starts_with("https://") ? 8
        : beginning.starts_with("http://")                       ? 7
                                                                 : 0;
    const auto fits = [&](std::size_t prefix, bool (*isHost)(std::string_view)) {
        const std::string_view rest = text.substr(prefix);
        const std::size_t length = hostLength(rest);
        return isHost(rest.substr(0, length)) && isPortAndPath(rest.substr(length));
    };
    if (scheme > 0) {
        if (fits(scheme, isAnyHost) || fits(scheme, isIpv4))
            return true;
        const std::string_view rest = text.substr(scheme);
        const std::size_t end = rest.find(']');
        return rest.starts_with('[') && end != std::string_view::npos
            && isIpv6(rest.substr(1, end - 1)) && isPortAndPath(rest.substr(end + 1));
    }
    return (beginning.starts_with("www.") && fits(4, isAnyHost)) || fits(0, isUsualHost);
}

bool isMailAddress(std::string_view text)
{
    const std::size_t at = text.rfind('@');
    if (at == std::string_view::npos || at == 0)
        return false;
    const std::string_view host = text.substr(at + 1);
    const std::size_t point = host.rfind('.');
    if (point == std::string_view::npos || point == 0 || point + 1 == host.size())
        return false;
    return isWordCharacter(charactersOf(host).front())
        && allAre(host.substr(point + 1), isWordCharacter) && allAre(host, [](std::string_view c) {
               return c == "." || c == "-" || isWordCharacter(c);
           });
}

std::size_t countOf(std::string_view text, std::string_view what)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string_view::npos;
         at = text.find(what, at + what.size()))
        ++count;
    return count;
}

constexpr std::string_view kLess = "&lt;";
constexpr std::string_view kGreater = "&gt;";

// A word, separated from the brackets and punctuation around it.
struct Word {
    std::string head;
    std::string middle;
    std::string tail;
};

Word takenApart(std::string_view word)
{
    std::size_t begin = 0;
    for (;;) {
        const std::string_view rest = word.substr(begin);
        if (rest.starts_with('(') || rest.starts_with('<'))
            ++begin;
        else if (rest.starts_with(kLess))
            begin += kLess.size();
        else
            break;
    }
    std::size_t end = word.size();
    while (end > begin) {
        const std::string_view rest = word.substr(begin, end - begin);
        if (isAnyOf(")>.,\n", rest.back()))
            --end;
        else if (rest.ends_with(kGreater))
            end -= kGreater.size();
        else
            break;
    }
    Word parts{.head = std::string(word.substr(0, begin)),
               .middle = std::string(word.substr(begin, end - begin)),
               .tail = std::string(word.substr(end))};
    // Closing brackets belong to a word if their opening ones are in the middle of it.
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPairs{
        {{"(", ")"}, {"<", ">"}, {kLess, kGreater}}};
    for (const auto& [open, close] : kPairs) {
        const std::size_t opened = countOf(parts.middle, open);
        if (opened <= countOf(parts.middle, close))
            continue;
        for (std::size_t i = std::min(opened, countOf(parts.tail, close)); i > 0; --i) {
            const std::size_t past = parts.tail.find(close) + close.size();
            parts.middle += parts.tail.substr(0, past);
            parts.tail.erase(0, past);
        }
    }
    return parts;
}

std::string linkTo(std::string_view address, std::string_view shown, std::string_view attributes)
{
    return "<a href=\"" + std::string(address) + "\"" + std::string(attributes) + ">"
        + std::string(shown) + "</a>";
}

std::string trimmed(std::string_view text, const std::optional<std::int64_t>& limit)
{
    const Characters characters = charactersOf(text);
    const auto count = static_cast<std::int64_t>(characters.size());
    if (!limit || count <= *limit)
        return std::string(text);
    const std::int64_t kept = *limit >= 0 ? *limit : std::max<std::int64_t>(0, count + *limit);
    std::string shown;
    for (std::int64_t i = 0; i < kept; ++i)
        shown += characters[static_cast<std::size_t>(i)];
    return shown + "...";
}

std::string linked(const std::string& middle, const LinkStyle& style)
{
    const std::string attributes = (style.rel.empty() ? "" : " rel=\"" + style.rel + "\"")
        + (style.target.empty() ? "" : " target=\"" + style.target + "\"");
    if (isWebAddress(middle)) {
        const bool whole = middle.starts_with("https://") || middle.starts_with("http://");
        return linkTo((whole ? "" : "https://") + middle, trimmed(middle, style.trim), attributes);
    }
    constexpr std::string_view kMail = "mailto:";
    if (middle.starts_with(kMail) && isMailAddress(std::string_view(middle).substr(kMail.size())))
        return linkTo(middle, std::string_view(middle).substr(kMail.size()), "");
    if (!middle.starts_with("www.") && !middle.starts_with('@')
        && middle.find(':') == std::string::npos && isMailAddress(middle))
        return linkTo(std::string(kMail) + middle, middle, "");
    std::string result = middle;
    for (const std::string& scheme : style.schemes) {
        if (result != scheme && result.starts_with(scheme))
            result = linkTo(result, result, attributes);
    }
    return result;
}

} // namespace

std::string withLinks(std::string_view escaped, const LinkStyle& style)
{
    std::string result;
    std::size_t begin = 0;
    const auto close = [&](std::size_t end) {
        if (end > begin) {
            const Word word = takenApart(escaped.substr(begin, end - begin));
            result += word.head + linked(word.middle, style) + word.tail;
        }
    };
    std::size_t at = 0;
    for (const std::string_view character : charactersOf(escaped)) {
        if (isSpace(codePointOf(character))) {
            close(at);
            result += character;
            begin = at + character.size();
        }
        at += character.size();
    }
    close(at);
    return result;
}

bool isSchemePrefix(std::string_view text)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || characterCount(text.substr(0, colon)) < 2)
        return false;
    const std::string_view rest = text.substr(colon + 1);
    return (rest.empty() || rest == "/" || rest == "//")
        && allAre(text.substr(0, colon), [](std::string_view c) {
               return c == "." || c == "+" || c == "-" || isWordCharacter(c);
           });
}

} // namespace ep::text::jinja

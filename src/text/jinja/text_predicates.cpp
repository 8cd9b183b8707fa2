// SPDX-License-Identifier: GPL-3.0-or-later
#include "characters.h"
#include "methods.h"

#include <algorithm>
#include <unordered_map>

namespace ep::text::jinja {

namespace {

template <bool (*predicate)(char32_t)>
Value allAre(Runtime&, const std::string& text, const Arguments&)
{
    const auto characters = charactersOf(text);
    return Value(!characters.empty()
                 && std::all_of(characters.begin(), characters.end(),
                                [](std::string_view c) { return predicate(codePointOf(c)); }));
}

bool isLetterOrDigit(char32_t c)
{
    return isLetter(c) || isDigit(c);
}

template <bool (*wanted)(char32_t), bool (*other)(char32_t)>
Value isCase(Runtime&, const std::string& text, const Arguments&)
{
    const auto characters = charactersOf(text);
    const auto any = [&](bool (*predicate)(char32_t)) {
        return std::any_of(characters.begin(), characters.end(),
                           [&](std::string_view c) { return predicate(codePointOf(c)); });
    };
    return Value(any(wanted) && !any(other));
}

Value isAscii(Runtime&, const std::string& text, const Arguments&)
{
    return Value(std::all_of(text.begin(), text.end(),
                             [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

Value isIdentifier(Runtime&, const std::string& text, const Arguments&)
{
    const auto characters = charactersOf(text);
    const auto fits = [&](std::string_view character) {
        const char32_t c = codePointOf(character);
        return c == U'_' || isLetter(c) || (isDigit(c) && character.data() != text.data());
    };
    return Value(!characters.empty() && std::all_of(characters.begin(), characters.end(), fits));
}

// Upper case only at the start of words, lower case only after another letter.
Value isTitle(Runtime&, const std::string& text, const Arguments&)
{
    bool inWord = false;
    bool some = false;
    for (const std::string_view character : charactersOf(text)) {
        const char32_t c = codePointOf(character);
        const bool capital = isUpper(c);
        const bool small = isLower(c);
        if ((capital && inWord) || (small && !inWord))
            return Value(false);
        inWord = capital || small;
        some = some || inWord;
    }
    return Value(some);
}

Value areAllPrintable(Runtime&, const std::string& text, const Arguments&)
{
    const auto characters = charactersOf(text);
    return Value(std::all_of(characters.begin(), characters.end(), [](std::string_view character) {
        return isPrintable(codePointOf(character));
    }));
}

const std::unordered_map<std::string_view, TextMethod>& textPredicates()
{
    static const std::unordered_map<std::string_view, TextMethod> table{
        {"isascii", isAscii},
        {"isidentifier", isIdentifier},
        {"istitle", isTitle},
        {"isprintable", areAllPrintable},
        {"isspace", allAre<isSpace>},
        {"isalpha", allAre<isLetter>},
        {"isdigit", allAre<isDigit>},
        {"isdecimal", allAre<isDigit>},
        {"isnumeric", allAre<isDigit>},
        {"isalnum", allAre<isLetterOrDigit>},
        {"isupper", isCase<isUpper, isLower>},
        {"islower", isCase<isLower, isUpper>},
    };
    return table;
}

} // namespace

TextMethod findTextPredicate(std::string_view name)
{
    const auto found = textPredicates().find(name);
    return found == textPredicates().end() ? nullptr : found->second;
}

} // namespace ep::text::jinja

// SPDX-License-Identifier: GPL-3.0-or-later
#include "regex_class.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <utility>

namespace ep::model {

namespace {

// White_Space, which is what \s means there; PCRE2's \s also has U+180E.
constexpr std::string_view spaceText =
    R"(\x{9}-\x{d}\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";
constexpr std::string_view notSpaceText =
    R"(\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{84}\x{86}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{10ffff})";
constexpr std::string_view wordText = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})";
constexpr std::string_view anyText = R"(\x{0}-\x{10ffff})";

struct Named {
    std::string_view name;
    std::string_view text;
};

constexpr std::array posixNames = std::to_array<Named>({
    {"alnum", R"(\p{Alphabetic}\p{Nd})"},
    {"alpha", R"(\p{Alphabetic})"},
    {"ascii", R"(\x{0}-\x{7f})"},
    {"blank", R"(\p{Zs}\x{9})"},
    {"cntrl", R"(\p{Cc})"},
    {"digit", R"(\p{Nd})"},
    {"graph", R"([:graph:])"},
    {"lower", R"(\p{Lowercase})"},
    {"print", R"([:print:])"},
    {"punct", R"(\p{P}$+<=>^`|~)"},
    {"space", spaceText},
    {"upper", R"(\p{Uppercase})"},
    {"word", wordText},
    {"xdigit", "0-9A-Fa-f"},
});

constexpr std::array longCategories = std::to_array<Named>({
    {"any", anyText},
    {"casedletter", R"(\p{Lu}\p{Ll}\p{Lt})"},
    {"closepunctuation", R"(\p{Pe})"},
    {"connectorpunctuation", R"(\p{Pc})"},
    {"control", R"(\p{Cc})"},
    {"currencysymbol", R"(\p{Sc})"},
    {"dashpunctuation", R"(\p{Pd})"},
    {"decimalnumber", R"(\p{Nd})"},
    {"enclosingmark", R"(\p{Me})"},
    {"finalpunctuation", R"(\p{Pf})"},
    {"format", R"(\p{Cf})"},
    {"initialpunctuation", R"(\p{Pi})"},
    {"lc", R"(\p{Lu}\p{Ll}\p{Lt})"},
    {"letter", R"(\p{L})"},
    {"letternumber", R"(\p{Nl})"},
    {"lineseparator", R"(\p{Zl})"},
    {"lowercaseletter", R"(\p{Ll})"},
    {"mark", R"(\p{M})"},
    {"mathsymbol", R"(\p{Sm})"},
    {"modifierletter", R"(\p{Lm})"},
    {"modifiersymbol", R"(\p{Sk})"},
    {"nonspacingmark", R"(\p{Mn})"},
    {"number", R"(\p{N})"},
    {"openpunctuation", R"(\p{Ps})"},
    {"other", R"(\p{C})"},
    {"otherletter", R"(\p{Lo})"},
    {"othernumber", R"(\p{No})"},
    {"otherpunctuation", R"(\p{Po})"},
    {"othersymbol", R"(\p{So})"},
    {"paragraphseparator", R"(\p{Zp})"},
    {"privateuse", R"(\p{Co})"},
    {"punctuation", R"(\p{P})"},
    {"separator", R"(\p{Z})"},
    {"spaceseparator", R"(\p{Zs})"},
    {"spacingmark", R"(\p{Mc})"},
    {"surrogate", R"(\p{Cs})"},
    {"symbol", R"(\p{S})"},
    {"titlecaseletter", R"(\p{Lt})"},
    {"unassigned", R"(\p{Cn})"},
    {"uppercaseletter", R"(\p{Lu})"},
    {"whitespace", spaceText},
    {"alphabetic", R"(\p{Alphabetic})"},
    {"lowercase", R"(\p{Lowercase})"},
    {"uppercase", R"(\p{Uppercase})"},
});

// Names are compared without case, spaces, hyphens and underscores.
std::string looseName(std::string_view name)
{
    std::string loose;
    for (const char c : name) {
        if (c != ' ' && c != '-' && c != '_')
            loose += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return loose;
}

template <std::size_t Count>
std::optional<std::string_view> lookUp(const std::array<Named, Count>& names, std::string_view name)
{
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](const Named& named) { return named.name == name; });
    return found == names.end() ? std::nullopt : std::optional(found->text);
}

bool isShortCategory(std::string_view name)
{
    constexpr std::string_view majors = "clmnpsz";
    constexpr std::array<std::string_view, 7> minors = {"cfnos",   "lmotu", "cen", "dlo",
                                                        "cdefios", "ckmo",  "lps"};
    const std::size_t major = name.empty() ? std::string_view::npos : majors.find(name[0]);
    if (major == std::string_view::npos || name.size() > 2)
        return false;
    return name.size() == 1 || minors[major].find(name[1]) != std::string_view::npos;
}

CharacterSet classOf(std::string_view text, bool negate)
{
    CharacterSet set = CharacterSet::fromClassText(text);
    return negate ? set.negated() : set;
}

} // namespace

CharacterSet CharacterSet::fromClassText(std::string_view inside)
{
    CharacterSet set;
    set.m_inside = inside;
    return set;
}

CharacterSet CharacterSet::fromExpression(std::string expression)
{
    CharacterSet set;
    set.m_alternatives = "|" + std::move(expression);
    return set;
}

void CharacterSet::add(const CharacterSet& other)
{
    m_inside += other.m_inside;
    m_alternatives += other.m_alternatives;
}

CharacterSet CharacterSet::negated() const
{
    if (m_inside == anyText && m_alternatives.empty())
        return fromExpression("(*FAIL)");
    if (isEmpty())
        return fromClassText(anyText);
    if (m_alternatives.empty())
        return fromExpression("[^" + m_inside + "]");
    return fromExpression("(?!" + expression() + ")(?s:.)");
}

CharacterSet CharacterSet::intersected(const CharacterSet& other) const
{
    return fromExpression("(?=" + expression() + ")" + other.expression());
}

std::string CharacterSet::expression() const
{
    if (isEmpty())
        return "(*FAIL)";
    if (m_alternatives.empty())
        return "[" + m_inside + "]";
    const std::string alternatives = m_alternatives.substr(1);
    if (!m_inside.empty())
        return "(?:[" + m_inside + "]|" + alternatives + ")";
    const bool isOneClass =
        alternatives.rfind("[^", 0) == 0 && alternatives.find(']') == alternatives.size() - 1;
    return isOneClass ? alternatives : "(?:" + alternatives + ")";
}

CharacterSet spaceSet(bool negate)
{
    return CharacterSet::fromClassText(negate ? notSpaceText : spaceText);
}

CharacterSet wordSet(bool negate)
{
    return classOf(wordText, negate);
}

CharacterSet digitSet(bool negate)
{
    return CharacterSet::fromClassText(negate ? R"(\P{Nd})" : R"(\p{Nd})");
}

CharacterSet hexDigitSet(bool negate)
{
    return classOf("0-9A-Fa-f", negate);
}

CharacterSet propertySet(std::string_view name, bool negate)
{
    const std::string loose = looseName(name);
    if (loose == "space" || loose == "whitespace")
        return spaceSet(negate);
    const std::string prefix = negate ? R"(\P{)" : R"(\p{)";
    if (isShortCategory(loose)) {
        std::string category = loose;
        category[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(category[0])));
        return CharacterSet::fromClassText(prefix + category + "}");
    }
    if (const auto text = lookUp(posixNames, loose))
        return classOf(*text, negate);
    if (const auto text = lookUp(longCategories, loose))
        return classOf(*text, negate);
    return CharacterSet::fromClassText(prefix + "sc:" + std::string(name) + "}");
}

std::optional<CharacterSet> posixSet(std::string_view name, bool negate)
{
    const auto text = lookUp(posixNames, name);
    if (!text)
        return std::nullopt;
    return classOf(*text, negate);
}

std::string classCharacter(char32_t c)
{
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        return std::string(1, static_cast<char>(c));
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "\\x{%x}", static_cast<unsigned>(c));
    return text.data();
}

} // namespace ep::model

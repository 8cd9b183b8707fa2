// SPDX-License-Identifier: GPL-3.0-or-later
#include "character_set.h"

#include "unicode.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

namespace ep::text {

namespace {

// White_Space, the meaning of \s in Oniguruma; PCRE2's \s also includes U+180E.
constexpr std::string_view spaceText =
    R"(\x{9}-\x{d}\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";
constexpr std::string_view notSpaceText =
    R"(\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{84}\x{86}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{10ffff})";
constexpr std::string_view anyText = R"(\x{0}-\x{10ffff})";
// Outside of brackets, \w also includes the superscripts and fractions of Latin-1.
constexpr std::string_view latinWordText = R"(\x{b2}\x{b3}\x{b9}\x{bc}-\x{be})";

struct Named {
    std::string_view name;
    std::string_view categories; // separated by spaces
    std::string_view text = {}; // in addition to the categories
};

constexpr std::array posixNames = std::to_array<Named>({
    {"alnum", "L Nl Nd", R"(\p{Alphabetic})"},
    {"alpha", "L Nl", R"(\p{Alphabetic})"},
    {"ascii", "", R"(\x{0}-\x{7f})"},
    {"blank", "Zs", R"(\x{9})"},
    {"cntrl", "Cc"},
    {"digit", "Nd"},
    {"lower", "Ll", R"(\p{Lowercase})"},
    {"punct", "P S"},
    {"space", "", spaceText},
    {"upper", "Lu", R"(\p{Uppercase})"},
    {"word", "L M Nl Nd Pc", R"(\p{Alphabetic})"},
    {"xdigit", "", "0-9A-Fa-f"},
});

constexpr std::array properties = std::to_array<Named>({
    {"alphabetic", "L Nl", R"(\p{Alphabetic})"},
    {"any", "", anyText},
    {"asciihexdigit", "", "0-9A-Fa-f"},
    {"casedletter", "Lu Ll Lt"},
    {"closepunctuation", "Pe"},
    {"connectorpunctuation", "Pc"},
    {"control", "Cc"},
    {"currencysymbol", "Sc"},
    {"dash", "", R"(\p{Dash})"},
    {"dashpunctuation", "Pd"},
    {"decimalnumber", "Nd"},
    {"defaultignorablecodepoint", "", R"(\p{Default_Ignorable_Code_Point})"},
    {"diacritic", "", R"(\p{Diacritic})"},
    {"emoji", "", R"(\p{Emoji})"},
    {"emojicomponent", "", R"(\p{Emoji_Component})"},
    {"emojimodifier", "", R"(\p{Emoji_Modifier})"},
    {"emojimodifierbase", "", R"(\p{Emoji_Modifier_Base})"},
    {"emojipresentation", "", R"(\p{Emoji_Presentation})"},
    {"enclosingmark", "Me"},
    {"extendedpictographic", "", R"(\p{Extended_Pictographic})"},
    {"extender", "", R"(\p{Extender})"},
    {"finalpunctuation", "Pf"},
    {"format", "Cf"},
    {"han", "", R"(\p{sc:Han}\x{2b739}\x{2ebf0}-\x{2ee5d}\x{31350}-\x{323af})"},
    {"hexdigit", "", R"(\p{Hex_Digit})"},
    {"idcontinue", "", R"(\p{ID_Continue}\x{200c}\x{200d})"},
    {"ideographic", "", R"(\p{Ideographic})"},
    {"idstart", "", R"(\p{ID_Start})"},
    {"initialpunctuation", "Pi"},
    {"lc", "Lu Ll Lt"},
    {"letter", "L"},
    {"letternumber", "Nl"},
    {"lineseparator", "Zl"},
    {"lowercase", "Ll", R"(\p{Lowercase})"},
    {"lowercaseletter", "Ll"},
    {"mark", "M"},
    {"math", "", R"(\p{Math})"},
    {"mathsymbol", "Sm"},
    {"modifierletter", "Lm"},
    {"modifiersymbol", "Sk"},
    {"nonspacingmark", "Mn"},
    {"number", "N"},
    {"openpunctuation", "Ps"},
    {"otherletter", "Lo"},
    {"othernumber", "No"},
    {"otherpunctuation", "Po"},
    {"othersymbol", "So"},
    {"paragraphseparator", "Zp"},
    {"privateuse", "Co"},
    {"punct", "P"},
    {"punctuation", "P"},
    {"quotationmark", "", R"(\p{Quotation_Mark})"},
    {"radical", "", R"(\p{Radical})"},
    {"regionalindicator", "", R"(\p{Regional_Indicator})"},
    {"separator", "Z"},
    {"spaceseparator", "Zs"},
    {"spacingmark", "Mc"},
    {"surrogate", "Cs"},
    {"symbol", "S"},
    {"terminalpunctuation", "", R"(\p{Terminal_Punctuation})"},
    {"titlecaseletter", "Lt"},
    {"unifiedideograph", "", R"(\p{Unified_Ideograph})"},
    {"uppercase", "Lu", R"(\p{Uppercase})"},
    {"uppercaseletter", "Lu"},
    {"variationselector", "", R"(\p{Variation_Selector})"},
    {"whitespace", "", spaceText},
    {"xidcontinue", "", R"(\p{XID_Continue}\x{200c}\x{200d})"},
    {"xidstart", "", R"(\p{XID_Start})"},
});

// Names are compared ignoring case, spaces, hyphens and underscores.
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
const Named* lookUp(const std::array<Named, Count>& names, std::string_view name)
{
    const auto found = std::find_if(names.begin(), names.end(),
                                    [&](const Named& named) { return named.name == name; });
    return found == names.end() ? nullptr : &*found;
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

std::string categoryText(std::string_view category)
{
    return "\\p{" + std::string(category) + "}" + additionsText(category);
}

std::string textOf(const Named& named)
{
    std::string text(named.text);
    for (std::string_view rest = named.categories; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        text += categoryText(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return text;
}

// General category C or Cn: everything not in another one. The library's own categories depend on
// its version of Unicode.
constexpr Named assigned{"", "L M N P S Z"};
constexpr Named assignedOrPrivate{"", "L M N P S Z Cc Cf Co Cs"};

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

CharacterSet CharacterSet::fromExpression(std::string_view expression)
{
    CharacterSet set;
    set.m_alternatives.append("|").append(expression);
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

CharacterSet wordSet(bool negate, Place place)
{
    std::string text = textOf(*lookUp(posixNames, "word"));
    if (place == Place::Alone)
        text += latinWordText;
    return classOf(text, negate);
}

CharacterSet digitSet(bool negate)
{
    return classOf(categoryText("Nd"), negate);
}

CharacterSet hexDigitSet(bool negate)
{
    return classOf("0-9A-Fa-f", negate);
}

CharacterSet propertySet(std::string_view name, bool negate, Place place)
{
    std::string loose = looseName(name);
    if (loose == "space" || loose == "whitespace")
        return spaceSet(negate);
    if (loose == "word")
        return wordSet(negate, place);
    if (loose == "c" || loose == "other")
        return classOf(textOf(assigned), !negate);
    if (loose == "cn" || loose == "unassigned")
        return classOf(textOf(assignedOrPrivate), !negate);
    if (isShortCategory(loose)) {
        loose[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(loose[0])));
        return classOf(categoryText(loose), negate);
    }
    if (const Named* property = lookUp(properties, loose))
        return classOf(textOf(*property), negate);
    if (const Named* property = lookUp(posixNames, loose))
        return classOf(textOf(*property), negate);
    return CharacterSet::fromClassText((negate ? R"(\P{sc:)" : R"(\p{sc:)") + std::string(name)
                                       + "}");
}

std::optional<CharacterSet> posixSet(std::string_view name, bool negate)
{
    // Everything visible, including private-use characters.
    if (name == "graph")
        return classOf(std::string(spaceText) + R"(\p{Cc}\p{Cn}\p{Cs})", !negate);
    if (name == "print")
        return classOf(R"(\p{Cc}\p{Cn}\p{Cs}\p{Zl}\p{Zp})", !negate);
    const Named* found = lookUp(posixNames, name);
    if (!found)
        return std::nullopt;
    return classOf(textOf(*found), negate);
}

std::string classCharacter(char32_t c)
{
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        return std::string(1, static_cast<char>(c));
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "\\x{%x}", static_cast<unsigned>(c));
    return text.data();
}

} // namespace ep::text

// SPDX-License-Identifier: GPL-3.0-or-later
#include "unicode_scripts.h"

#include <array>
#include <string_view>

namespace ep::text {

namespace {

// The scripts of the library's table, which is that of Unicode 9.
constexpr std::array<std::string_view, 134> kScripts{"Adlam",
                                                     "Ahom",
                                                     "Anatolian_Hieroglyphs",
                                                     "Arabic",
                                                     "Armenian",
                                                     "Avestan",
                                                     "Balinese",
                                                     "Bamum",
                                                     "Bassa_Vah",
                                                     "Batak",
                                                     "Bengali",
                                                     "Bhaiksuki",
                                                     "Bopomofo",
                                                     "Brahmi",
                                                     "Braille",
                                                     "Buginese",
                                                     "Buhid",
                                                     "Canadian_Aboriginal",
                                                     "Carian",
                                                     "Caucasian_Albanian",
                                                     "Chakma",
                                                     "Cham",
                                                     "Cherokee",
                                                     "Common",
                                                     "Coptic",
                                                     "Cuneiform",
                                                     "Cypriot",
                                                     "Cyrillic",
                                                     "Deseret",
                                                     "Devanagari",
                                                     "Duployan",
                                                     "Egyptian_Hieroglyphs",
                                                     "Elbasan",
                                                     "Ethiopic",
                                                     "Georgian",
                                                     "Glagolitic",
                                                     "Gothic",
                                                     "Grantha",
                                                     "Greek",
                                                     "Gujarati",
                                                     "Gurmukhi",
                                                     "Hangul",
                                                     "Hanunoo",
                                                     "Hatran",
                                                     "Hebrew",
                                                     "Imperial_Aramaic",
                                                     "Inherited",
                                                     "Inscriptional_Pahlavi",
                                                     "Inscriptional_Parthian",
                                                     "Javanese",
                                                     "Kaithi",
                                                     "Kannada",
                                                     "Kayah_Li",
                                                     "Kharoshthi",
                                                     "Khmer",
                                                     "Khojki",
                                                     "Khudawadi",
                                                     "Lao",
                                                     "Latin",
                                                     "Lepcha",
                                                     "Limbu",
                                                     "Linear_A",
                                                     "Linear_B",
                                                     "Lisu",
                                                     "Lycian",
                                                     "Lydian",
                                                     "Mahajani",
                                                     "Malayalam",
                                                     "Mandaic",
                                                     "Manichaean",
                                                     "Marchen",
                                                     "Meetei_Mayek",
                                                     "Mende_Kikakui",
                                                     "Meroitic_Cursive",
                                                     "Meroitic_Hieroglyphs",
                                                     "Miao",
                                                     "Modi",
                                                     "Mongolian",
                                                     "Mro",
                                                     "Multani",
                                                     "Myanmar",
                                                     "Nabataean",
                                                     "New_Tai_Lue",
                                                     "Newa",
                                                     "Nko",
                                                     "Ogham",
                                                     "Ol_Chiki",
                                                     "Old_Hungarian",
                                                     "Old_Italic",
                                                     "Old_North_Arabian",
                                                     "Old_Permic",
                                                     "Old_Persian",
                                                     "Old_South_Arabian",
                                                     "Old_Turkic",
                                                     "Oriya",
                                                     "Osage",
                                                     "Osmanya",
                                                     "Pahawh_Hmong",
                                                     "Palmyrene",
                                                     "Pau_Cin_Hau",
                                                     "Phags_Pa",
                                                     "Phoenician",
                                                     "Psalter_Pahlavi",
                                                     "Rejang",
                                                     "Runic",
                                                     "Samaritan",
                                                     "Saurashtra",
                                                     "Sharada",
                                                     "Shavian",
                                                     "Siddham",
                                                     "SignWriting",
                                                     "Sinhala",
                                                     "Sora_Sompeng",
                                                     "Sundanese",
                                                     "Syloti_Nagri",
                                                     "Syriac",
                                                     "Tagalog",
                                                     "Tagbanwa",
                                                     "Tai_Le",
                                                     "Tai_Tham",
                                                     "Tai_Viet",
                                                     "Takri",
                                                     "Tamil",
                                                     "Tangut",
                                                     "Telugu",
                                                     "Thaana",
                                                     "Thai",
                                                     "Tibetan",
                                                     "Tifinagh",
                                                     "Tirhuta",
                                                     "Ugaritic",
                                                     "Vai",
                                                     "Warang_Citi",
                                                     "Yi"};

} // namespace

std::string scriptRunsPattern()
{
    std::string known = R"(\p{Han}\p{Hiragana}\p{Katakana})";
    for (const std::string_view script : kScripts)
        known.append(R"(\p{)").append(script).append("}");
    // Characters that count as the script before them. They form a group that the others refer to,
    // because PCRE2 limits the size of a pattern.
    const std::string none = "(?<none>[ [^" + known + "]])";
    std::string pattern =
        R"([\p{Han}\p{Hiragana}\p{Katakana}ー](?:[\p{Han}\p{Hiragana}\p{Katakana}ー]|)" + none
        + ")*";
    for (const std::string_view script : kScripts) {
        std::string members = R"(\p{)" + std::string(script) + "}";
        if (script == "Common")
            members = "[" + members + "&&[^ ー]]";
        pattern += "|" + members + "(?:" + members + R"(|\g<none>)*)";
    }
    return pattern;
}

} // namespace ep::text

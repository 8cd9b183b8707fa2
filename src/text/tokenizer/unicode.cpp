// SPDX-License-Identifier: GPL-3.0-or-later
#include "unicode.h"

#include "character_set.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <vector>

namespace ep::text {
namespace {

// Some tables of the reference library are older than those of our libraries, and ids depend on
// them: punctuation is from Unicode 7, decompositions are from Unicode 12, and the marks removed as
// accents are from Unicode 9 or, in BertNormalizer, 8.

struct Range {
    char32_t first;
    char32_t last;
};

// Added after Unicode 7.
constexpr std::array newPunctuation = std::to_array<Range>({
    {0x61d, 0x61d},     {0x9fd, 0x9fd},     {0xa76, 0xa76},     {0xc77, 0xc77},
    {0xc84, 0xc84},     {0x1b4e, 0x1b4f},   {0x1b7d, 0x1b7f},   {0x2e43, 0x2e4f},
    {0x2e52, 0x2e5d},   {0x10d6e, 0x10d6e}, {0x10ead, 0x10ead}, {0x10f55, 0x10f59},
    {0x10f86, 0x10f89}, {0x113d4, 0x113d5}, {0x113d7, 0x113d8}, {0x1144b, 0x1144f},
    {0x1145a, 0x1145b}, {0x1145d, 0x1145d}, {0x11660, 0x1166c}, {0x116b9, 0x116b9},
    {0x1183b, 0x1183b}, {0x11944, 0x11946}, {0x119e2, 0x119e2}, {0x11a3f, 0x11a46},
    {0x11a9a, 0x11a9c}, {0x11a9e, 0x11aa2}, {0x11b00, 0x11b09}, {0x11be1, 0x11be1},
    {0x11c41, 0x11c45}, {0x11c70, 0x11c71}, {0x11ef7, 0x11ef8}, {0x11f43, 0x11f4f},
    {0x11fff, 0x11fff}, {0x12ff1, 0x12ff2}, {0x16d6d, 0x16d6f}, {0x16e97, 0x16e9a},
    {0x16fe2, 0x16fe2}, {0x1e5ff, 0x1e5ff}, {0x1e95e, 0x1e95f},
});

// Added after Unicode 12.
constexpr std::array newDecompositions = std::to_array<Range>({
    {0x32ff, 0x32ff},
    {0xa7f2, 0xa7f4},
    {0xab69, 0xab69},
    {0x10781, 0x10785},
    {0x10787, 0x107b0},
    {0x107b2, 0x107ba},
    {0x11938, 0x11938},
    {0x1e030, 0x1e06d},
    {0x1f16c, 0x1f16c},
    {0x1fbf0, 0x1fbf9},
});

// Marks that StripAccents does not know, and those that only BertNormalizer's older tables lack.
constexpr std::array newMarks = std::to_array<Range>({
    {0x7fd, 0x7fd},     {0x897, 0x89f},     {0x8ca, 0x8d3},     {0x9fe, 0x9fe},
    {0xafa, 0xaff},     {0xb55, 0xb55},     {0xc04, 0xc04},     {0xc3c, 0xc3c},
    {0xcf3, 0xcf3},     {0xd00, 0xd00},     {0xd3b, 0xd3c},     {0xd81, 0xd81},
    {0xeba, 0xeba},     {0xece, 0xece},     {0x1715, 0x1715},   {0x180f, 0x180f},
    {0x1abf, 0x1ace},   {0x1cf7, 0x1cf7},   {0x1df6, 0x1dfa},   {0xa82c, 0xa82c},
    {0xa8ff, 0xa8ff},   {0x10d24, 0x10d27}, {0x10d69, 0x10d6d}, {0x10eab, 0x10eac},
    {0x10efc, 0x10eff}, {0x10f46, 0x10f50}, {0x10f82, 0x10f85}, {0x11070, 0x11070},
    {0x11073, 0x11074}, {0x110c2, 0x110c2}, {0x11145, 0x11146}, {0x111c9, 0x111c9},
    {0x111ce, 0x111cf}, {0x11241, 0x11241}, {0x1133b, 0x1133b}, {0x113b8, 0x113c0},
    {0x113c2, 0x113c2}, {0x113c5, 0x113c5}, {0x113c7, 0x113ca}, {0x113cc, 0x113d0},
    {0x113d2, 0x113d2}, {0x113e1, 0x113e2}, {0x1145e, 0x1145e}, {0x1182c, 0x1183a},
    {0x11930, 0x11935}, {0x11937, 0x11938}, {0x1193b, 0x1193e}, {0x11940, 0x11940},
    {0x11942, 0x11943}, {0x119d1, 0x119d7}, {0x119da, 0x119e0}, {0x119e4, 0x119e4},
    {0x11a01, 0x11a0a}, {0x11a33, 0x11a39}, {0x11a3b, 0x11a3e}, {0x11a47, 0x11a47},
    {0x11a51, 0x11a5b}, {0x11a8a, 0x11a99}, {0x11d31, 0x11d36}, {0x11d3a, 0x11d3a},
    {0x11d3c, 0x11d3d}, {0x11d3f, 0x11d45}, {0x11d47, 0x11d47}, {0x11d8a, 0x11d8e},
    {0x11d90, 0x11d91}, {0x11d93, 0x11d97}, {0x11ef3, 0x11ef6}, {0x11f00, 0x11f01},
    {0x11f03, 0x11f03}, {0x11f34, 0x11f3a}, {0x11f3e, 0x11f42}, {0x11f5a, 0x11f5a},
    {0x13440, 0x13440}, {0x13447, 0x13455}, {0x1611e, 0x1612f}, {0x16f4f, 0x16f4f},
    {0x16f7f, 0x16f87}, {0x16fe4, 0x16fe4}, {0x16ff0, 0x16ff1}, {0x1cf00, 0x1cf2d},
    {0x1cf30, 0x1cf46}, {0x1e08f, 0x1e08f}, {0x1e130, 0x1e136}, {0x1e2ae, 0x1e2ae},
    {0x1e2ec, 0x1e2ef}, {0x1e4ec, 0x1e4ef}, {0x1e5ee, 0x1e5ef},
});

constexpr std::array newMarksOfBert = std::to_array<Range>({
    {0x8d4, 0x8e1},     {0x1885, 0x1886},   {0x1dfb, 0x1dfb},   {0xa8c5, 0xa8c5},
    {0xa9bd, 0xa9bd},   {0x1123e, 0x1123e}, {0x11438, 0x1143f}, {0x11442, 0x11444},
    {0x11446, 0x11446}, {0x11c30, 0x11c36}, {0x11c38, 0x11c3d}, {0x11c3f, 0x11c3f},
    {0x11c92, 0x11ca7}, {0x11caa, 0x11cb0}, {0x11cb2, 0x11cb3}, {0x11cb5, 0x11cb6},
    {0x1e000, 0x1e006}, {0x1e008, 0x1e018}, {0x1e01b, 0x1e021}, {0x1e023, 0x1e024},
    {0x1e026, 0x1e02a}, {0x1e944, 0x1e94a},
});

// General category Cf only since Unicode 8.
constexpr std::array newFormats = std::to_array<Range>({
    {0x890, 0x891},
    {0x8e2, 0x8e2},
    {0x110cd, 0x110cd},
    {0x13430, 0x1343f},
});

// The range of the table that has the character; null: none.
template <typename Table>
const typename Table::value_type* rangeOf(const Table& table, char32_t c)
{
    const auto found =
        std::lower_bound(table.begin(), table.end(), c,
                         [](const auto& range, char32_t value) { return range.last < value; });
    return found != table.end() && c >= found->first ? &*found : nullptr;
}

constexpr unsigned char byteAt(std::string_view text, std::size_t i)
{
    return static_cast<unsigned char>(text[i]);
}

// The general category as two letters.
std::string_view category(char32_t c)
{
    const std::string_view name = utf8proc_category_string(static_cast<utf8proc_int32_t>(c));
    if (name != "Cn")
        return name;
    const std::string_view added = addedCategory(c);
    return added.empty() ? name : added;
}

bool isAscii(std::string_view text)
{
    return std::none_of(text.begin(), text.end(),
                        [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; });
}

utf8proc_propval_t combiningClass(utf8proc_int32_t c)
{
    return utf8proc_get_property(c)->combining_class;
}

// Sorts marks into canonical order. utf8proc's own sorting is quadratic in the length of a run of
// marks, so a megabyte of them would take forever.
void orderMarks(std::vector<utf8proc_int32_t>& points)
{
    for (auto begin = points.begin(); begin != points.end();) {
        if (combiningClass(*begin) == 0) {
            ++begin;
            continue;
        }
        const auto end = std::find_if(begin, points.end(),
                                      [](utf8proc_int32_t c) { return combiningClass(c) == 0; });
        std::stable_sort(begin, end, [](utf8proc_int32_t a, utf8proc_int32_t b) {
            return combiningClass(a) < combiningClass(b);
        });
        begin = end;
    }
}

struct Addition {
    char32_t first;
    char32_t last;
    std::string_view category;
};

constexpr std::array additions = std::to_array<Addition>({
    {0x897, 0x897, "Mn"},     {0xcf3, 0xcf3, "Mc"},     {0xece, 0xece, "Mn"},
    {0x1b4e, 0x1b4f, "Po"},   {0x1b7f, 0x1b7f, "Po"},   {0x1c89, 0x1c89, "Lu"},
    {0x1c8a, 0x1c8a, "Ll"},   {0x2427, 0x2429, "So"},   {0x2ffc, 0x2fff, "So"},
    {0x31e4, 0x31e5, "So"},   {0x31ef, 0x31ef, "So"},   {0xa7cb, 0xa7cc, "Lu"},
    {0xa7cd, 0xa7cd, "Ll"},   {0xa7da, 0xa7da, "Lu"},   {0xa7db, 0xa7db, "Ll"},
    {0xa7dc, 0xa7dc, "Lu"},   {0x105c0, 0x105f3, "Lo"}, {0x10d40, 0x10d49, "Nd"},
    {0x10d4a, 0x10d4d, "Lo"}, {0x10d4e, 0x10d4e, "Lm"}, {0x10d4f, 0x10d4f, "Lo"},
    {0x10d50, 0x10d65, "Lu"}, {0x10d69, 0x10d6d, "Mn"}, {0x10d6e, 0x10d6e, "Pd"},
    {0x10d6f, 0x10d6f, "Lm"}, {0x10d70, 0x10d85, "Ll"}, {0x10d8e, 0x10d8f, "Sm"},
    {0x10ec2, 0x10ec4, "Lo"}, {0x10efc, 0x10eff, "Mn"}, {0x1123f, 0x11240, "Lo"},
    {0x11241, 0x11241, "Mn"}, {0x11380, 0x11389, "Lo"}, {0x1138b, 0x1138b, "Lo"},
    {0x1138e, 0x1138e, "Lo"}, {0x11390, 0x113b5, "Lo"}, {0x113b7, 0x113b7, "Lo"},
    {0x113b8, 0x113ba, "Mc"}, {0x113bb, 0x113c0, "Mn"}, {0x113c2, 0x113c2, "Mc"},
    {0x113c5, 0x113c5, "Mc"}, {0x113c7, 0x113ca, "Mc"}, {0x113cc, 0x113cd, "Mc"},
    {0x113ce, 0x113ce, "Mn"}, {0x113cf, 0x113cf, "Mc"}, {0x113d0, 0x113d0, "Mn"},
    {0x113d1, 0x113d1, "Lo"}, {0x113d2, 0x113d2, "Mn"}, {0x113d3, 0x113d3, "Lo"},
    {0x113d4, 0x113d5, "Po"}, {0x113d7, 0x113d8, "Po"}, {0x113e1, 0x113e2, "Mn"},
    {0x116d0, 0x116e3, "Nd"}, {0x11b00, 0x11b09, "Po"}, {0x11bc0, 0x11be0, "Lo"},
    {0x11be1, 0x11be1, "Po"}, {0x11bf0, 0x11bf9, "Nd"}, {0x11f00, 0x11f01, "Mn"},
    {0x11f02, 0x11f02, "Lo"}, {0x11f03, 0x11f03, "Mc"}, {0x11f04, 0x11f10, "Lo"},
    {0x11f12, 0x11f33, "Lo"}, {0x11f34, 0x11f35, "Mc"}, {0x11f36, 0x11f3a, "Mn"},
    {0x11f3e, 0x11f3f, "Mc"}, {0x11f40, 0x11f40, "Mn"}, {0x11f41, 0x11f41, "Mc"},
    {0x11f42, 0x11f42, "Mn"}, {0x11f43, 0x11f4f, "Po"}, {0x11f50, 0x11f59, "Nd"},
    {0x11f5a, 0x11f5a, "Mn"}, {0x1342f, 0x1342f, "Lo"}, {0x13439, 0x1343f, "Cf"},
    {0x13440, 0x13440, "Mn"}, {0x13441, 0x13446, "Lo"}, {0x13447, 0x13455, "Mn"},
    {0x13460, 0x143fa, "Lo"}, {0x16100, 0x1611d, "Lo"}, {0x1611e, 0x16129, "Mn"},
    {0x1612a, 0x1612c, "Mc"}, {0x1612d, 0x1612f, "Mn"}, {0x16130, 0x16139, "Nd"},
    {0x16d40, 0x16d42, "Lm"}, {0x16d43, 0x16d6a, "Lo"}, {0x16d6b, 0x16d6c, "Lm"},
    {0x16d6d, 0x16d6f, "Po"}, {0x16d70, 0x16d79, "Nd"}, {0x18cff, 0x18cff, "Lo"},
    {0x1b132, 0x1b132, "Lo"}, {0x1b155, 0x1b155, "Lo"}, {0x1cc00, 0x1ccef, "So"},
    {0x1ccf0, 0x1ccf9, "Nd"}, {0x1cd00, 0x1ceb3, "So"}, {0x1d2c0, 0x1d2d3, "No"},
    {0x1df25, 0x1df2a, "Ll"}, {0x1e030, 0x1e06d, "Lm"}, {0x1e08f, 0x1e08f, "Mn"},
    {0x1e4d0, 0x1e4ea, "Lo"}, {0x1e4eb, 0x1e4eb, "Lm"}, {0x1e4ec, 0x1e4ef, "Mn"},
    {0x1e4f0, 0x1e4f9, "Nd"}, {0x1e5d0, 0x1e5ed, "Lo"}, {0x1e5ee, 0x1e5ef, "Mn"},
    {0x1e5f0, 0x1e5f0, "Lo"}, {0x1e5f1, 0x1e5fa, "Nd"}, {0x1e5ff, 0x1e5ff, "Po"},
    {0x1f6dc, 0x1f6dc, "So"}, {0x1f774, 0x1f776, "So"}, {0x1f77b, 0x1f77f, "So"},
    {0x1f7d9, 0x1f7d9, "So"}, {0x1f8b2, 0x1f8bb, "So"}, {0x1f8c0, 0x1f8c1, "So"},
    {0x1fa75, 0x1fa77, "So"}, {0x1fa87, 0x1fa89, "So"}, {0x1fa8f, 0x1fa8f, "So"},
    {0x1faad, 0x1faaf, "So"}, {0x1fabb, 0x1fabf, "So"}, {0x1fac6, 0x1fac6, "So"},
    {0x1face, 0x1facf, "So"}, {0x1fada, 0x1fadc, "So"}, {0x1fadf, 0x1fadf, "So"},
    {0x1fae8, 0x1fae9, "So"}, {0x1faf7, 0x1faf8, "So"}, {0x1fbcb, 0x1fbef, "So"},
    {0x2b739, 0x2b739, "Lo"}, {0x2ebf0, 0x2ee5d, "Lo"}, {0x31350, 0x323af, "Lo"},
});

struct Capitals {
    char32_t first;
    char32_t last;
    char32_t lower; // lower case of the first character; the others follow
};

constexpr std::array capitals = std::to_array<Capitals>({
    {0x1c89, 0x1c89, 0x1c8a},
    {0xa7cb, 0xa7cb, 0x264},
    {0xa7cc, 0xa7cc, 0xa7cd},
    {0xa7ce, 0xa7ce, 0xa7cf},
    {0xa7d2, 0xa7d2, 0xa7d3},
    {0xa7d4, 0xa7d4, 0xa7d5},
    {0xa7da, 0xa7da, 0xa7db},
    {0xa7dc, 0xa7dc, 0x19b},
    {0x10d50, 0x10d65, 0x10d70},
    {0x16ea0, 0x16eb8, 0x16ebb},
});

} // namespace

CodePoint firstCodePoint(std::string_view text)
{
    const unsigned char lead = byteAt(text, 0);
    const auto tail = [&](std::size_t i) { return static_cast<char32_t>(byteAt(text, i) & 0x3fU); };
    if (lead < 0x80)
        return {lead, 1};
    if (lead < 0xe0 && text.size() >= 2)
        return {(static_cast<char32_t>(lead & 0x1fU) << 6U) | tail(1), 2};
    if (lead < 0xf0 && text.size() >= 3)
        return {(static_cast<char32_t>(lead & 0x0fU) << 12U) | (tail(1) << 6U) | tail(2), 3};
    if (text.size() >= 4)
        return {(static_cast<char32_t>(lead & 0x07U) << 18U) | (tail(1) << 12U) | (tail(2) << 6U)
                    | tail(3),
                4};
    return {0xfffd, text.size()};
}

CodePoint lastCodePoint(std::string_view text)
{
    std::size_t begin = text.size() - 1;
    while (begin > 0 && (byteAt(text, begin) & 0xc0U) == 0x80U)
        --begin;
    return firstCodePoint(text.substr(begin));
}

std::string toUtf8(char32_t codePoint)
{
    std::string text;
    appendUtf8(text, codePoint);
    return text;
}

bool isWhiteSpace(char32_t c)
{
    if (c < 0x80)
        return c == ' ' || (c >= '\t' && c <= '\r');
    return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028
        || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool isNumeric(char32_t c)
{
    return category(c)[0] == 'N';
}

bool isPunctuation(char32_t c)
{
    if (c < 0x80) {
        return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`')
            || (c >= '{' && c <= '~');
    }
    return category(c)[0] == 'P' && !rangeOf(newPunctuation, c);
}

bool isAccent(char32_t c)
{
    const bool wasMark = c == 0x1cf2 || c == 0x1cf3; // until Unicode 12
    return wasMark || (category(c)[0] == 'M' && !rangeOf(newMarks, c));
}

bool isAccentOfBert(char32_t c)
{
    constexpr char32_t wasNonSpacing = 0x1734; // until Unicode 14
    return c == wasNonSpacing
        || (category(c) == "Mn" && !rangeOf(newMarks, c) && !rangeOf(newMarksOfBert, c));
}

bool isControlOfBert(char32_t c)
{
    const std::string_view of = category(c);
    return of == "Cc" || of == "Co" || (of == "Cf" && !rangeOf(newFormats, c));
}

bool isWord(char32_t c)
{
    const std::string_view of = category(c);
    if (of[0] == 'L' || of[0] == 'M' || of == "Nd" || of == "Nl" || of == "Pc")
        return true;
    // Alphabetic symbols (circled and squared letters) and the two joiners.
    return (c >= 0x24b6 && c <= 0x24e9) || (c >= 0x1f130 && c <= 0x1f149)
        || (c >= 0x1f150 && c <= 0x1f169) || (c >= 0x1f170 && c <= 0x1f189) || c == 0x200c
        || c == 0x200d;
}

void appendLowerCase(std::string& text, char32_t c)
{
    if (c == 0x130) { // the only character with a two-character lower case in every language
        appendUtf8(text, 'i');
        appendUtf8(text, 0x307);
        return;
    }
    if (const char32_t lower = addedLowerCase(c)) {
        appendUtf8(text, lower);
        return;
    }
    appendUtf8(text, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))));
}

std::string toNormalForm(std::string_view text, NormalForm form)
{
    if (isAscii(text))
        return std::string(text);

    const bool compatible = form == NormalForm::KC || form == NormalForm::KD;
    const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE
                                                        | (compatible ? UTF8PROC_COMPAT : 0));

    std::vector<utf8proc_int32_t> points;
    points.reserve(text.size());
    std::array<utf8proc_int32_t, 32> parts{}; // the longest decomposition has 18
    for (std::size_t i = 0; i < text.size();) {
        const CodePoint c = firstCodePoint(text.substr(i));
        i += c.length;
        if (rangeOf(newDecompositions, c.value) || !addedCategory(c.value).empty()) {
            points.push_back(static_cast<utf8proc_int32_t>(c.value));
            continue;
        }
        const utf8proc_ssize_t count =
            utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c.value), parts.data(),
                                    static_cast<utf8proc_ssize_t>(parts.size()), options, nullptr);
        if (count < 1 || count > static_cast<utf8proc_ssize_t>(parts.size()))
            points.push_back(static_cast<utf8proc_int32_t>(c.value));
        else
            points.insert(points.end(), parts.begin(), parts.begin() + count);
    }
    orderMarks(points);

    if (form == NormalForm::C || form == NormalForm::KC) {
        const auto compose = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
        const utf8proc_ssize_t count = utf8proc_normalize_utf32(
            points.data(), static_cast<utf8proc_ssize_t>(points.size()), compose);
        if (count >= 0)
            points.resize(static_cast<std::size_t>(count));
    }

    std::string result;
    result.reserve(text.size());
    for (const utf8proc_int32_t c : points)
        appendUtf8(result, static_cast<char32_t>(c));
    return result;
}

char32_t addedLowerCase(char32_t c)
{
    const Capitals* range = rangeOf(capitals, c);
    return range ? range->lower + (c - range->first) : U'\0';
}

std::string additionsText(std::string_view category)
{
    std::string text;
    for (const Addition& addition : additions) {
        if (addition.category.substr(0, category.size()) == category)
            text += classCharacter(addition.first) + "-" + classCharacter(addition.last);
    }
    return text;
}

std::string_view addedCategory(char32_t c)
{
    const Addition* range = rangeOf(additions, c);
    return range ? range->category : std::string_view();
}

} // namespace ep::text

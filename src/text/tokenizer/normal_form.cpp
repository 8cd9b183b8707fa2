// SPDX-License-Identifier: GPL-3.0-or-later
#include "unicode.h"
#include "unicode_age.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <vector>

namespace ep::text {

namespace {

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

} // namespace

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
        if (hasNewDecomposition(c.value)) {
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

} // namespace ep::text

// SPDX-License-Identifier: GPL-3.0-or-later
#include "sentences.h"

#include <QFile>

#include <algorithm>

namespace ep::ui {

namespace {

struct Pattern {
    std::string text;
    std::vector<std::string> fixed; // the text around %1, %2, ..., which must be in this order

    std::size_t fixedSize() const
    {
        std::size_t size = 0;
        for (const std::string& part : fixed)
            size += part.size();
        return size;
    }
};

Pattern patternOf(std::string text)
{
    Pattern pattern{.text = std::move(text), .fixed = {}};
    std::size_t begin = 0;
    for (int place = 1;; ++place) {
        const std::string mark = '%' + std::to_string(place);
        const std::size_t at = pattern.text.find(mark, begin);
        pattern.fixed.push_back(pattern.text.substr(begin, at - begin));
        if (at == std::string::npos)
            return pattern;
        begin = at + mark.size();
    }
}

// Patterns with the most fixed text come first, because they are the most specific.
std::vector<Pattern> readPatterns()
{
    std::vector<Pattern> patterns;
    QFile file(QStringLiteral(":/i18n/sentences.txt"));
    if (!file.open(QIODevice::ReadOnly)) // the program was built without translations
        return patterns;
    while (!file.atEnd())
        patterns.push_back(patternOf(file.readLine().trimmed().toStdString()));
    std::ranges::stable_sort(patterns, std::ranges::greater(), &Pattern::fixedSize);
    return patterns;
}

// The texts between the fixed parts; nothing if a fixed part is missing or a text is empty.
std::vector<std::string_view> varyingIn(std::string_view text, const Pattern& pattern)
{
    const std::string& last = pattern.fixed.back();
    if (!text.starts_with(pattern.fixed.front()) || !text.ends_with(last))
        return {};
    std::vector<std::string_view> varying;
    std::size_t begin = pattern.fixed.front().size();
    for (std::size_t i = 1; i < pattern.fixed.size(); ++i) {
        const bool atEnd = i + 1 == pattern.fixed.size();
        const std::size_t end =
            atEnd ? text.size() - last.size() : text.find(pattern.fixed[i], begin + 1);
        if (end > text.size() || end <= begin)
            return {};
        varying.push_back(text.substr(begin, end - begin));
        begin = end + pattern.fixed[i].size();
    }
    return varying;
}

} // namespace

std::optional<RecognisedSentence> recognised(std::string_view text)
{
    static const std::vector<Pattern> patterns = readPatterns();
    for (const Pattern& pattern : patterns) {
        if (auto varying = varyingIn(text, pattern); !varying.empty())
            return RecognisedSentence{pattern.text, std::move(varying)};
    }
    return std::nullopt;
}

} // namespace ep::ui

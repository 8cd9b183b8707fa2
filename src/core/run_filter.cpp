// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_filter.h"

#include "ep/core/utf8.h"

#include <algorithm>

namespace ep {

namespace {

using Words = std::vector<std::string>;

bool anyOf(const Words& wanted, const Words& words)
{
    return wanted.empty() || std::ranges::any_of(wanted, [&](const std::string& word) {
               return std::ranges::find(words, word) != words.end();
           });
}

} // namespace

const std::array<RunWords, kRunWordsCount>& runWords()
{
    static const std::array<RunWords, kRunWordsCount> kWords{{
        {"models", &RunFilter::models, [](const RunInfo& info) { return Words{info.model.name}; }},
        {"tags", &RunFilter::tags, [](const RunInfo& info) { return info.tags; }},
        {"experiments", &RunFilter::experiments,
         [](const RunInfo& info) { return Words{info.experiment}; }},
        {"devices", &RunFilter::devices, [](const RunInfo& info) { return Words{info.device}; }},
        {"dtypes", &RunFilter::dtypes, [](const RunInfo& info) { return Words{info.dtype}; }},
        {"depths", &RunFilter::depths,
         [](const RunInfo& info) { return Words{std::string(name(info.depth))}; }},
        {"sources", &RunFilter::sources,
         [](const RunInfo& info) { return Words{info.power.source}; }},
        {"statuses", &RunFilter::statuses,
         [](const RunInfo& info) { return Words{std::string(name(info.status))}; }},
    }};
    return kWords;
}

bool RunFilter::acceptsRecord(const RunSummary& run, std::int64_t nowMs) const
{
    constexpr std::int64_t kDayMs = 86'400'000;
    const RunInfo& info = run.info;
    for (const RunWords& words : runWords()) {
        const Words& wanted = this->*words.wanted;
        if (anyOf(wanted, words.of(info)))
            continue;
        if (words.wanted != &RunFilter::models || !anyOf(wanted, {info.model.path}))
            return false;
    }
    const auto& joules = run.metrics.joules_per_token;
    return (!from_ms || info.created_at_ms >= *from_ms)
        && (!until_ms || info.created_at_ms < *until_ms)
        && (!last_days || info.created_at_ms >= nowMs - *last_days * kDayMs)
        && (!least_joules || (joules && *joules >= *least_joules))
        && (!most_joules || (joules && *joules <= *most_joules));
}

bool RunFilter::accepts(const RunSummary& run, std::int64_t nowMs) const
{
    return acceptsRecord(run, nowMs)
        && (text.empty() || containsAll(searchTextOf(run.info), searchWords(text)));
}

bool RunFilter::onlyText() const
{
    RunFilter other;
    other.text = text;
    return *this == other;
}

std::string searchTextOf(const RunInfo& info)
{
    std::string text;
    const auto add = [&](std::string_view part) { text.append(part).append("\n"); };
    const std::string notes = info.notes.english();
    for (const std::string* part :
         {&info.title, &notes, &info.prompt, &info.response, &info.model.architecture})
        add(*part);
    for (const RunWords& words : runWords()) {
        for (const std::string& word : words.of(info))
            add(word);
    }
    return foldCase(text);
}

std::vector<std::string> searchWords(std::string_view text)
{
    constexpr const char* kBlanks = " \t\n";
    std::vector<std::string> words;
    const std::string folded = foldCase(text);
    for (std::size_t begin = folded.find_first_not_of(kBlanks); begin != std::string::npos;) {
        const std::size_t end = std::min(folded.find_first_of(kBlanks, begin), folded.size());
        words.push_back(folded.substr(begin, end - begin));
        begin = folded.find_first_not_of(kBlanks, end);
    }
    return words;
}

bool containsAll(std::string_view searchText, std::span<const std::string> words)
{
    return std::ranges::all_of(words, [searchText](const std::string& word) {
        return searchText.find(word) != std::string_view::npos;
    });
}

} // namespace ep

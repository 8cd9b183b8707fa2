// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ep {

// Which runs a list shows, in the window, the command line and the API. All conditions must hold;
// an empty condition always holds; a list of words holds if any word matches.
struct RunFilter {
    std::string text{}; // all words must occur in the run's searchTextOf(); case-insensitive
    std::vector<std::string> models{}; // names or paths
    std::vector<std::string> tags{};
    std::vector<std::string> experiments{};
    std::vector<std::string> devices{};
    std::vector<std::string> dtypes{};
    std::vector<std::string> depths{};
    std::vector<std::string> sources{};
    std::vector<std::string> statuses{}; // stored words: "complete"
    std::optional<std::int64_t> from_ms{}; // created at this time or later, wall clock
    std::optional<std::int64_t> until_ms{}; // created before
    std::optional<int> last_days{}; // created within this many days before now
    std::optional<double> least_joules{}; // minimum per token
    std::optional<double> most_joules{};

    bool operator==(const RunFilter&) const = default;
    bool accepts(const RunSummary& run, std::int64_t nowMs) const;
    bool acceptsRecord(const RunSummary& run,
                       std::int64_t nowMs) const; // checks all conditions except the text
    bool onlyText() const; // whether there are no other conditions
};

// The conditions that are lists of words, with the corresponding values of a run.
struct RunWords {
    const char* id; // in saved filters: "models"
    std::vector<std::string> RunFilter::*wanted;
    std::vector<std::string> (*of)(const RunInfo& info);
};
inline constexpr std::size_t kRunWordsCount = 8;
const std::array<RunWords, kRunWordsCount>& runWords();

// The searchable text: title, notes, prompt, response, model, device, tags and so on, case-folded.
std::string searchTextOf(const RunInfo& info);
// The words of a search text, case-folded.
std::vector<std::string> searchWords(std::string_view text);
bool containsAll(std::string_view searchText, std::span<const std::string> words);

} // namespace ep

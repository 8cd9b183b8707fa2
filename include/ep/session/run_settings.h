// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/value.h"
#include "ep/session/levers.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

// The numbers that a run can be set to: one row each, with one range for the command line, the
// API, studies, pairs of runs and the window. docs/settings.md is this table.
namespace ep::session {

struct NumberSetting {
    std::string_view name; // its key in JSON
    std::string_view option; // of the command line
    bool whole;
    double least;
    double most;
    double standard; // where nothing else is said
    std::string_view help;
};

inline constexpr double kMaxCount = 1'000'000;
inline constexpr double kDaySeconds = 86'400;
inline constexpr std::array<NumberSetting, 16> kNumberSettings{{
    {"max_new_tokens", "--max-new-tokens", true, 1, kMaxCount, 64, "Maximum number of new tokens"},
    {"temperature", "--temperature", false, 0, 100, 0,
     "Sampling temperature; 0 always takes the most likely token"},
    {"top_k", "--top-k", true, 0, kMaxCount, 0, "Sample from the K most likely tokens; 0: all"},
    {"top_p", "--top-p", false, 0, 1, 1,
     "Sample from the smallest set of tokens whose probability reaches P; 1: all"},
    {"min_p", "--min-p", false, 0, 1, 0,
     "Sample from tokens with at least this fraction of the highest probability"},
    {"repetition_penalty", "--repetition-penalty", false, 0.01, 100, 1,
     "Penalty on the logits of tokens that already occur; 1: none"},
    // As many digits as a JSON number and a spin box hold exactly.
    {"seed", "--seed", true, 0, 999'999'999'999'999, 0, "Seed of the random number generator"},
    {"batch_size", "--batch-size", true, 1, 4096, 1, "Copies of each prompt in the batch"},
    {"context", "--context", true, 0, kMaxCount, 0,
     "Most tokens of prompt and answer together; 0: what the model allows"},
    {"draft_tokens", "--draft-tokens", true, 1, kMaxDraftTokens, kUsualDraftTokens,
     "With a draft: most tokens proposed for each step"},
    {"threads", "--threads", true, 0, 1024, 0, "Number of compute threads; 0: all cores"},
    {"interval_ms", "--interval-ms", true, 1, 60'000, 100,
     "Milliseconds between two samples of power"},
    {"baseline_seconds", "--baseline-seconds", false, 0, kDaySeconds, 0,
     "Seconds of idle power to measure before the run"},
    {"warmup_tokens", "--warmup", true, 0, kMaxCount, 0,
     "Tokens to generate and discard before the run"},
    {"repeats", "--repeat", true, 1, kMaxCount, 1, "Number of consecutive runs"},
    {"cool_down_seconds", "--cool-down", false, 0, kDaySeconds, 0,
     "Seconds to wait before every run except the first"},
}};

// The row of a name that is in the table.
constexpr const NumberSetting& numberSetting(std::string_view name)
{
    return *std::find_if(kNumberSettings.begin(), kNumberSettings.end(),
                         [&](const NumberSetting& row) { return row.name == name; });
}

// A setting of a JSON object, absent or null: `standard`, else that of the table. key: its name
// in this object, if it has another. Throws json::ReadError, also outside of the range.
std::int64_t readWhole(json::StrictObject& object, std::string_view name,
                       std::optional<std::int64_t> standard = {}, std::string_view key = {});
double readNumber(json::StrictObject& object, std::string_view name);

} // namespace ep::session

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/levers.h"

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

// Limits of the body of POST generate: generate_routes.cpp enforces them and openapi.cpp states
// them.
namespace ep::api {

struct NumberField {
    const char* name;
    bool whole;
    double least;
    double most;
    double standard;
    const char* unit = "";
};

inline constexpr double kMaxTokens = 1'000'000;
inline constexpr std::array<NumberField, 14> kNumberFields = {{
    {"max_new_tokens", true, 1, kMaxTokens, 64},
    {"temperature", false, 0, 100, 0},
    {"top_k", true, 0, kMaxTokens, 0},
    {"top_p", false, 0, 1, 1},
    {"min_p", false, 0, 1, 0},
    {"repetition_penalty", false, 0.01, 100, 1},
    {"seed", true, 0, std::numeric_limits<int>::max(), 0},
    {"batch_size", true, 1, 4096, 1},
    {"threads", true, 0, 1024, 0},
    {"interval_ms", true, 1, 60'000, 100, "Between two samples of power"},
    {"baseline_seconds", false, 0, 600, 0},
    {"warmup_tokens", true, 0, kMaxTokens, 0},
    {"context", true, 0, kMaxTokens, 0,
     "Most tokens of prompt and answer together; 0: what the model allows"},
    {"draft_tokens", true, 1, session::kMaxDraftTokens, session::kUsualDraftTokens,
     "With draft: proposed for each step, at most"},
}};

struct TextList {
    const char* name;
    std::size_t most_items;
    std::size_t most_characters; // limit for one item
};
inline constexpr TextList kStopTexts = {"stop", 64, 1000};
inline constexpr TextList kTags = {"tags", 100, 200};
inline constexpr std::size_t kLongestExperiment = 1000; // characters

// Limit on the number of values in a body (numbers, texts, lists and objects), each of which takes
// many times the memory of its text.
inline constexpr std::size_t kMaxValues = 100'000;

inline constexpr const char* kDevicePattern = "^(auto|cpu|mps|cuda(:[0-9]{1,3})?)$";
inline constexpr const char* kSourcePattern =
    "^(nvml:(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(,(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|"
    "[1-9]?[0-9]))*|modelled:[0-9]+([.][0-9]+)?,[0-9]+([.][0-9]+)?)$";

// Limit on the text of a power source. It cannot be a replay, which would name a file.
inline constexpr std::size_t kLongestSource = 200;

std::vector<std::string> liveSources(); // without replays, which name a file

} // namespace ep::api

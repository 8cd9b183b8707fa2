// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

// Limits of the body of POST generate: generate_routes.cpp enforces them and openapi.cpp states
// them.
namespace ep::api {

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

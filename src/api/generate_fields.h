// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

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

inline constexpr std::size_t kLongestWord = 199; // of a setting such as a power source

} // namespace ep::api

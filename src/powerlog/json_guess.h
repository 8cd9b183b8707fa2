// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats.h"

#include "ep/json/document.h"

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace ep::powerlog {

// A guessed format for objects that no row of the table describes: fields whose names state a unit
// of power ("gpu_power_w", also one level deeper), and a field whose name means a time.
struct GuessedJson {
    JsonFormat format{}; // points into the other members
    std::vector<FieldRule> fields;
    std::array<const char*, 1> times{};
    std::deque<std::string> texts;
};

// Null: no field is a power.
std::unique_ptr<GuessedJson> guessJson(const json::Json& object);

} // namespace ep::powerlog

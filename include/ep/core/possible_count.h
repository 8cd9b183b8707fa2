// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/units.h"

#include <cstdint>
#include <string>

// Checks the counts that other programs state about themselves: servers, recorded commands.
namespace ep {

inline constexpr std::int64_t kMostLayers = 4096; // of a model, as its configuration may state
inline constexpr std::int64_t kMostTokens = 100'000'000; // of a prompt or an answer

enum class CountKind : std::uint8_t { PromptTokens, ComputedTokens, OutputTokens, Layers };

// Why a count cannot be true, as the end of "..., <reason>: that cannot be true"; empty if it can.
// duration: how long the work took.
Message whyImpossible(CountKind kind, std::int64_t count, Nanoseconds duration);

} // namespace ep

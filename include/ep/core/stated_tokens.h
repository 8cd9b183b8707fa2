// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ep {

int batchSize(const RunInfo& info); // the number of sequences of a run

// Number of tokens of a run over all sequences; absent if another program generated them and did
// not state the number.
std::optional<std::int64_t> inputTokens(const RunInfo& info);
std::optional<std::int64_t> outputTokens(const RunInfo& info);

// Adds `tokens` to `sum` if they are known; the sum is absent until one number is known.
void addStated(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& tokens);

// "12", or an em dash.
std::string tokensText(const std::optional<std::int64_t>& tokens);

// Whether a field of the record, such as "input_tokens", contains a number that was not stated.
bool isUnstated(const RunInfo& info, std::string_view field);

} // namespace ep

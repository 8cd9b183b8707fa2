// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "naive_decoder.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Families that combine Llama's parts in other orders: norms after attention and MLP, or on both
// sides; rotation of adjacent elements; sigmoid routers. Otherwise like naive_decoder.h.
namespace ep::test {

bool isNewer(const std::string& modelType);

NaiveWeights newerWeights(const nlohmann::json& config, std::uint64_t seed);
NaiveRows newerLogits(const nlohmann::json& config, const NaiveWeights& weights,
                      const std::vector<std::int32_t>& ids, std::map<int, NaiveExperts>* experts);

} // namespace ep::test

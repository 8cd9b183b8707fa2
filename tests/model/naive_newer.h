// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "naive_decoder.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Families that put Llama's parts together in other orders: norms behind attention and MLP, or on
// both sides; rotation of neighbouring elements; routers of sigmoids. As naive_decoder.h.
namespace ep::test {

bool isNewer(const std::string& modelType);

NaiveWeights newerWeights(const nlohmann::json& config, std::uint64_t seed);
NaiveRows newerLogits(const nlohmann::json& config, const NaiveWeights& weights,
                      const std::vector<std::int32_t>& ids, std::map<int, NaiveExperts>* experts);

} // namespace ep::test

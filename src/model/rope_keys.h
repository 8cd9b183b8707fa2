// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/value.h"

#include <array>
#include <string_view>
#include <vector>

// Which keys of config.json concern positions. An unknown key may change what the model computes,
// so it is refused by name; a key whose value has no effect is accepted.
namespace ep::model {

// Keys of rope_parameters that hold the parameters of one type of layer.
inline constexpr std::array<std::string_view, 2> kRopeLayerTypes{"full_attention",
                                                                 "sliding_attention"};

bool hasLayerTypes(const json::Value& parameters);

// Checks the keys of an object with position parameters. Throws json::ReadError.
void refuseUnknownParameters(const json::Value& object);
// Checks the keys next to such objects whose names concern positions.
// known: additional keys that the family has.
void refuseUnknownPositionKeys(const json::Value& config,
                               const std::vector<std::string_view>& known);

} // namespace ep::model

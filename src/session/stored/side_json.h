// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/sides.h"

#include <nlohmann/json.hpp>

// The JSON object "comparison", the same wherever two sides are compared.
namespace ep::session {

nlohmann::ordered_json finiteJson(const std::optional<double>& value); // null if it is not finite
nlohmann::ordered_json intervalJson(const std::optional<energy::Interval>& interval);
nlohmann::ordered_json sideJson(const energy::SideTest& test, const Message& a, const Message& b);

} // namespace ep::session

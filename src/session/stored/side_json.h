// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/sides.h"
#include "ep/json/document.h"

// The JSON object "comparison", the same wherever two sides are compared.
namespace ep::session {

json::OrderedJson finiteJson(const std::optional<double>& value); // null if it is not finite
json::OrderedJson intervalJson(const std::optional<energy::Interval>& interval);
json::OrderedJson sideJson(const energy::SideTest& test, const Message& a, const Message& b);

} // namespace ep::session

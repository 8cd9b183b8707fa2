// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <ostream>
#include <vector>

namespace ep::test {

// A family with a selection of its options.
struct Variant {
    const char* name;
    const char* architecture;
    const char* type;
    const char* options; // overrides baseConfig() in config.json
};

std::ostream& operator<<(std::ostream& out, const Variant& variant);

// The config.json of a small model.
nlohmann::json baseConfig(const Variant& variant);

// Every family, its options, and every way of rotating positions.
const std::vector<Variant>& familyVariants();

} // namespace ep::test

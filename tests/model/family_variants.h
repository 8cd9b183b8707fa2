// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <ostream>
#include <vector>

namespace ep::test {

// A family with some of its options.
struct Variant {
    const char* name;
    const char* architecture;
    const char* type;
    const char* options; // of config.json, over those of baseConfig()
};

std::ostream& operator<<(std::ostream& out, const Variant& variant);

// config.json of a small model.
nlohmann::json baseConfig(const Variant& variant);

// Every family, its options, and every way of turning positions.
const std::vector<Variant>& familyVariants();

} // namespace ep::test

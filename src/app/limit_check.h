// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/comparison.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

// Limits on differences, for jobs that must fail when one is exceeded.
namespace ep::app {

struct LimitOption {
    std::vector<std::string> texts{};
    std::vector<energy::DifferenceLimit> limits{}; // one for each text, once read

    bool any() const { return !texts.empty(); }
    void addTo(CLI::App& command);
    Status read();
    // Every limit is checked against the interval, which may miss with this probability, so that
    // all checks together fail wrongly with at most 5 %.
    double error() const;
};

// Checks one limit against the difference of `name` from its baseline, whose mean is given, and
// says on stderr if it is exceeded or not known. Returns the exit status.
int statusOfLimit(const energy::DifferenceLimit& limit, const std::string& text,
                  const std::optional<energy::SideTest>& test, double baseline,
                  const std::string& name);
int worseStatus(int one, int other); // the first of: exceeded, not known, within

} // namespace ep::app

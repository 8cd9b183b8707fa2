// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/comparison.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ep::energy {

// A setting of a run that is part of its configuration.
struct Property {
    const char* title; // "dtype"
    Message (*text)(const RunInfo&); // for a label, where it replaces %1 of `pattern`
    std::string (*key)(const RunInfo&); // compared value; null: the text
    // false: not known for the run of a server, and for a recorded command only if it was stated. A
    // value that is not known does not count as a difference.
    bool of_servers = true;
    const char* pattern = nullptr; // null: the text alone

    bool knownOf(const RunInfo& info) const
    {
        return of_servers
            || (!info.profiling.server && !(info.profiling.command && text(info).empty()));
    }
    std::string keyOf(const RunInfo& info) const { return key ? key(info) : text(info).english(); }
};

std::span<const Property> properties();
// "warmup_tokens 16, prompt_cache on": the settings in the run's record, without those with one of
// these SettingPlaces.
std::string recordedText(const RunInfo& info, unsigned without = 0);
bool differs(const std::vector<RunGroup>& groups, const Property& property);
std::string pText(double p); // "p = 0.012"
// Fills in the tree of differences and the layers of a comparison.
void compareNodes(const std::vector<RunGroup>& groups, Comparison& comparison);

} // namespace ep::energy

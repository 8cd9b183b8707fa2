// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/comparison.h"

#include <span>
#include <string>
#include <vector>

namespace ep::energy {

// A setting of a run that is part of its configuration.
struct Property {
    const char* title; // "dtype"
    std::string (*text)(const RunInfo&); // for a label, at %1 of its pattern
    std::string (*key)(const RunInfo&); // compared value; null: the text
    // false: unknown for a server's run, and only as stated for a recorded one; such a gap is no
    // difference
    bool of_servers = true;
    const char* pattern = nullptr; // null: the text alone

    bool knownOf(const RunInfo& info) const
    {
        return of_servers
            || (!info.profiling.server && !(info.profiling.command && text(info).empty()));
    }
    std::string keyOf(const RunInfo& info) const { return key ? key(info) : text(info); }
};

std::span<const Property> properties();
bool differs(const std::vector<RunGroup>& groups, const Property& property);
int batchSize(const RunInfo& info);

} // namespace ep::energy

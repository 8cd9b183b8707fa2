// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/store/store.h"

#include <filesystem>
#include <vector>

namespace ep::test {

// All runs in a database, loaded completely.
inline std::vector<Run> storedRuns(const std::filesystem::path& database)
{
    std::vector<Run> runs;
    auto store = store::Store::open(database);
    const auto listed = (*store)->list();
    for (const RunSummary& summary : *listed)
        runs.push_back(*(*store)->load(summary.info.id));
    return runs;
}

} // namespace ep::test

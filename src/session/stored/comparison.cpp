// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/comparison.h"

#include "ep/session/explain.h"
#include "ep/store/store.h"

#include <algorithm>
#include <utility>

namespace ep::session {

using energy::RunGroup;

namespace {

const RunSummary* find(const std::vector<RunSummary>& stored, const std::string& id)
{
    const auto found = std::find_if(stored.begin(), stored.end(),
                                    [&](const RunSummary& run) { return run.info.id == id; });
    return found == stored.end() ? nullptr : &*found;
}

} // namespace

Result<std::vector<RunGroup>> loadGroups(const store::Store& store,
                                         const std::vector<std::vector<std::string>>& ids,
                                         const CancelToken& cancel, const ProgressFn& progress)
{
    std::size_t all = 0;
    for (const auto& group : ids)
        all += group.size();
    std::size_t done = 0;
    const auto qualities = store.qualities();
    if (!qualities)
        return qualities.error();
    std::vector<RunGroup> groups;
    for (const auto& groupIds : ids) {
        RunGroup& group = groups.emplace_back();
        for (const std::string& id : groupIds) {
            if (progress)
                progress(static_cast<double>(done) / static_cast<double>(all), "Reading runs");
            auto overview = store.overview(id, cancel);
            if (!overview)
                return overview.error();
            group.runs.push_back(
                {std::make_shared<const Run>(std::move(overview->run)),
                 std::make_shared<const std::vector<ComponentTotal>>(std::move(overview->totals))});
            ++done;
        }
        if (!group.runs.empty())
            group.quality = energy::qualityOf(*qualities, group.runs.front().run->info);
    }
    if (const Status explained = explainGroups(store, groups, cancel); !explained)
        return explained.error();
    return groups;
}

std::vector<std::vector<std::string>> withRepeats(const std::vector<RunSummary>& stored,
                                                  const std::vector<std::string>& ids)
{
    std::vector<std::vector<std::string>> groups;
    std::vector<std::string> keys;
    for (const std::string& id : ids) {
        const RunSummary* chosen = find(stored, id);
        if (!chosen || chosen->info.status != RunStatus::Complete) {
            groups.push_back({id});
            continue;
        }
        const std::string key = energy::repeatKey(chosen->info);
        if (std::find(keys.begin(), keys.end(), key) != keys.end())
            continue;
        keys.push_back(key);
        std::vector<std::string>& group = groups.emplace_back();
        for (const RunSummary& run : stored) {
            const bool counts = run.info.id == id || energy::isSound(run.info);
            if (counts && energy::repeatKey(run.info) == key)
                group.push_back(run.info.id);
        }
    }
    return groups;
}

std::vector<std::vector<std::string>> groupedByRepeats(const std::vector<RunSummary>& stored,
                                                       const std::vector<std::string>& ids)
{
    std::vector<const RunInfo*> infos;
    for (const std::string& id : ids) {
        if (const RunSummary* run = find(stored, id))
            infos.push_back(&run->info);
    }
    std::vector<std::vector<std::string>> groups;
    for (const auto& members : energy::groupRepeats(infos)) {
        std::vector<std::string>& group = groups.emplace_back();
        for (const std::size_t member : members)
            group.push_back(infos[member]->id);
    }
    return groups;
}

} // namespace ep::session

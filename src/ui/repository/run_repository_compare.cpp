// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/run_repository_worker.h"

#include "ep/session/comparison.h"
#include "ep/ui/terms.h"

namespace ep::ui {

namespace {

constexpr std::size_t kMaxGroups = 4;

// Names groups in the window's language, because the comparison's sentences use these names.
void nameGroups(std::vector<energy::RunGroup>& groups)
{
    const std::vector<Message> labels = energy::labelsOf(groups);
    for (std::size_t g = 0; g < groups.size(); ++g)
        groups[g].label = term(labels[g]).toStdString();
}

// The groups for a comparison of these runs.
Result<std::vector<std::vector<std::string>>> groupsFor(const store::Store& store,
                                                        const std::vector<std::string>& ids,
                                                        RunRepository::Repeats repeats)
{
    std::vector<std::vector<std::string>> groups;
    if (repeats != RunRepository::Repeats::None) {
        const auto stored = store.list();
        if (!stored)
            return stored.error();
        groups = repeats == RunRepository::Repeats::Stored
            ? session::withRepeats(*stored, ids)
            : session::groupedByRepeats(*stored, ids);
    }
    if (groups.size() < 2) { // runs that repeat each other are compared one by one
        groups.clear();
        for (const std::string& id : ids)
            groups.push_back({id});
    }
    if (groups.size() < 2 || groups.size() > kMaxGroups) {
        const std::string count = std::to_string(ids.size());
        if (groups.size() == ids.size())
            return Error{ErrorCode::InvalidInput,
                         {"Compare takes 2 to 4 runs or groups of repeats, but %1 are selected; "
                          "select fewer in History.",
                          count}};
        return Error{ErrorCode::InvalidInput,
                     {"Compare takes 2 to 4 runs or groups of repeats, but the %1 selected runs "
                      "form %2; select fewer in History.",
                      count, groups.size()}};
    }
    return groups;
}

} // namespace

void RunRepository::compare(const QStringList& ids, Repeats repeats)
{
    m_comparing.cancel();
    m_comparing = CancelToken();
    ask([this, generation = ++m_compareGeneration, ids = texts(ids), repeats,
         cancel = m_comparing](Worker& worker) {
        auto loaded =
            worker.with([&](store::Store& store) -> Result<std::vector<energy::RunGroup>> {
                const auto groups = groupsFor(store, ids, repeats);
                if (!groups)
                    return groups.error();
                return session::loadGroups(store, *groups, cancel);
            });
        RunGroups groups;
        if (loaded) {
            nameGroups(*loaded);
            groups = std::make_shared<const std::vector<energy::RunGroup>>(*std::move(loaded));
        }
        const Error error = groups ? Error() : loaded.error();
        answer([this, generation, groups, error] {
            if (generation != m_compareGeneration)
                return;
            if (groups)
                Q_EMIT compared(groups);
            else
                Q_EMIT failed(error);
        });
    });
}

} // namespace ep::ui

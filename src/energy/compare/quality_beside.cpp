// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/quality_beside.h"

#include "ep/core/format.h"
#include "ep/core/quality_format.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

const QualityRecord* onSameText(const RunGroup& group, const QualityRecord& record)
{
    const auto found =
        std::find_if(group.quality.begin(), group.quality.end(),
                     [&](const QualityRecord& other) { return other.sameText(record); });
    return found != group.quality.end() ? &*found : nullptr;
}

Message relativeText(double fraction, const char* lower, const char* higher)
{
    return {fraction < 0.0 ? lower : higher, formatPercent(std::abs(fraction))};
}

} // namespace

std::vector<QualityRecord> qualityOf(const std::vector<QualityRecord>& all, const RunInfo& run)
{
    std::vector<QualityRecord> found;
    for (const QualityRecord& record : all) {
        if (record.model == run.model.name && record.fingerprint == run.model.fingerprint
            && record.dtype == qualityFormat(run.dtype, run.execution.cache))
            found.push_back(record);
    }
    return found;
}

void compareQuality(const std::vector<RunGroup>& groups, Comparison& comparison)
{
    const QualityRecord* common = nullptr;
    std::ptrdiff_t most = 0;
    for (const RunGroup& group : groups) {
        for (const QualityRecord& record : group.quality) {
            const auto having =
                std::count_if(groups.begin(), groups.end(), [&](const RunGroup& other) {
                    return onSameText(other, record) != nullptr;
                });
            if (having > most) {
                most = having;
                common = &record;
            }
        }
    }
    for (std::size_t g = 0; common && g < groups.size(); ++g) {
        if (const QualityRecord* record = onSameText(groups[g], *common))
            comparison.groups[g].quality = *record;
    }
}

Message qualitySentence(const Comparison& comparison, std::size_t group)
{
    const auto& base = comparison.groups[comparison.options.baseline].quality;
    const auto& here = comparison.groups[group].quality;
    if (!here)
        return "quality not measured";
    if (group == comparison.options.baseline)
        return Message("perplexity %1 on %2", formatSignificant(here->perplexity, 4),
                       here->text_name);
    const Message quality = base
        ? Message("%1 perplexity on %2",
                  relativeText(here->perplexity / base->perplexity - 1.0, "%1 lower", "%1 higher"),
                  here->text_name)
        : Message("quality of the baseline not measured");
    const MetricRow* row = comparison.row(RunFigure::JoulesPerToken);
    if (!row || !row->groups[group].test || !row->groups[group].test->relative)
        return quality;
    return {"%1 energy per token, %2",
            relativeText(*row->groups[group].test->relative, "%1 less", "%1 more"), quality};
}

} // namespace ep::energy

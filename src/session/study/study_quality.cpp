// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_quality.h"

#include "ep/core/text_file.h"
#include "ep/energy/comparison.h"
#include "ep/session/privacy.h"
#include "ep/store/store.h"

#include <algorithm>

namespace ep::session {

namespace {

bool sameSubject(const QualityRequest& a, const QualityRequest& b)
{
    return a.model == b.model && a.dtype == b.dtype && a.device == b.device && a.cache == b.cache;
}

} // namespace

Result<std::vector<QualityRequest>> missingQuality(const StudySpec& spec, const store::Store& store)
{
    std::vector<QualityRequest> missing;
    if (!spec.quality)
        return missing;
    const auto text = readTextFile(spec.quality->text);
    if (!text)
        return text.error();
    const std::string hash = hashedText(*text);
    const auto runs = store.list({.experiments = {spec.name}});
    if (!runs)
        return runs.error();
    const auto known = store.qualities();
    if (!known)
        return known.error();
    const auto measured = [&](const QualityRecord& record) {
        return record.text_hash == hash
            && (spec.quality->context == 0 || record.context == spec.quality->context)
            && (spec.quality->stride == 0 || record.stride == spec.quality->stride);
    };
    for (const RunSummary& run : *runs) {
        if (run.info.status != RunStatus::Complete)
            continue;
        const auto records = energy::qualityOf(*known, run.info);
        if (std::any_of(records.begin(), records.end(), measured))
            continue;
        QualityRequest request{.model = run.info.model.path,
                               .device = run.info.device,
                               .dtype = run.info.dtype,
                               .threads = spec.run.load.threads,
                               .cache = model::cacheKindFromName(run.info.execution.cache)
                                            .value_or(model::CacheKind::Growing),
                               .text = spec.quality->text,
                               .context = spec.quality->context,
                               .stride = spec.quality->stride};
        if (std::none_of(missing.begin(), missing.end(),
                         [&](const QualityRequest& other) { return sameSubject(other, request); }))
            missing.push_back(std::move(request));
    }
    return missing;
}

} // namespace ep::session

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/session/profiler.h"
#include "ep/session/study_runner.h"

#include <string>

namespace ep::session {

Result<power::SourceChoice> powerOf(const StudySpec& spec, const StudyOptions& options);

// The run of a cell. tag: marks the step among the stored runs. baseline: idle power that is
// known already; null: the run measures it. Fails if a model or a source is not found.
Result<RunRequest> studyRequest(const StudySpec& spec, const StudyCell& cell,
                                const std::string& tag, const StudyOptions& options,
                                const KnownBaseline* baseline);

} // namespace ep::session

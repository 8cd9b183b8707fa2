// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/session/quality.h"
#include "ep/session/study.h"

#include <vector>

namespace ep::store {
class Store;
}

namespace ep::session {

// The measurements that a study with a text still lacks: each model, number format and device of
// its stored runs without a record for that text.
Result<std::vector<QualityRequest>> missingQuality(const StudySpec& spec,
                                                   const store::Store& store);

} // namespace ep::session

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/energy/aggregate.h"
#include "ep/energy/ledger.h"
#include "ep/store/store.h"

#include <string>
#include <vector>

namespace ep::session {

// Work and energy of a stored run within a range of its time. Reads the steps that overlap the
// range, a few at a time. ledger: the ledger of the run as opened, without its spans.
Result<energy::Excerpt> readExcerpt(const store::Store& store, const energy::Ledger& ledger,
                                    const TimeRange& range, const CancelToken& cancel = {});

// The typical token of a stored run; reads the steps of all decoded tokens, a few at a time.
Result<energy::Excerpt> readTypicalToken(const store::Store& store, const energy::Ledger& ledger,
                                         const CancelToken& cancel = {});

// The mean of stored repeats.
Result<energy::Excerpt> readMeanOfRepeats(const store::Store& store,
                                          const std::vector<std::string>& ids,
                                          const CancelToken& cancel = {});

} // namespace ep::session

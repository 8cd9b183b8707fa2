// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/energy/ledger.h"
#include "ep/store/store.h"

namespace ep::session {

// Work and energy of a stored run inside a range of its time. Reads the steps that overlap the
// range, a few at a time. ledger: of the run as opened, without its spans.
Result<energy::Excerpt> readExcerpt(const store::Store& store, const energy::Ledger& ledger,
                                    const TimeRange& range, const CancelToken& cancel = {});

} // namespace ep::session

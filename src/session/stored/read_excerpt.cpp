// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/read_excerpt.h"

#include <utility>

namespace ep::session {

Result<energy::Excerpt> readExcerpt(const store::Store& store, const energy::Ledger& ledger,
                                    const TimeRange& range, const CancelToken& cancel)
{
    RunTrace steps;
    return ledger.excerpt(range, [&](TokenRange tokens) -> Result<const RunTrace*> {
        auto read = store.steps(ledger.run().info.id, tokens, cancel);
        if (!read)
            return read.error();
        steps = *std::move(read);
        return static_cast<const RunTrace*>(&steps);
    });
}

} // namespace ep::session

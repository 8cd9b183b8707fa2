// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/read_excerpt.h"

#include <memory>
#include <utility>

namespace ep::session {

namespace {

// Reads some steps at a time; they are valid until the next ones are read.
class StepReader {
public:
    StepReader(const store::Store& store, std::string id, CancelToken cancel)
        : m_store(&store)
        , m_id(std::move(id))
        , m_cancel(std::move(cancel))
    {
    }

    Result<const RunTrace*> operator()(TokenRange tokens)
    {
        auto read = m_store->steps(m_id, tokens, m_cancel);
        if (!read)
            return read.error();
        *m_steps = *std::move(read);
        return static_cast<const RunTrace*>(m_steps.get());
    }

private:
    const store::Store* m_store;
    std::string m_id;
    CancelToken m_cancel;
    std::shared_ptr<RunTrace> m_steps = std::make_shared<RunTrace>(); // shared by all copies
};

} // namespace

Result<energy::Excerpt> readExcerpt(const store::Store& store, const energy::Ledger& ledger,
                                    const TimeRange& range, const CancelToken& cancel)
{
    StepReader steps(store, ledger.run().info.id, cancel);
    return ledger.excerpt(range, steps);
}

Result<energy::Excerpt> readTypicalToken(const store::Store& store, const energy::Ledger& ledger,
                                         const CancelToken& cancel)
{
    StepReader steps(store, ledger.run().info.id, cancel);
    return energy::typicalToken(ledger.run(), steps);
}

Result<energy::Excerpt> readMeanOfRepeats(const store::Store& store,
                                          const std::vector<std::string>& ids,
                                          const CancelToken& cancel)
{
    std::vector<energy::Excerpt> repeats;
    for (const std::string& id : ids) {
        auto overview = store.overview(id, cancel);
        if (!overview)
            return overview.error();
        auto parts = store.breakdown(id, cancel);
        if (!parts)
            return parts.error();
        overview->run.trace.samples.clear(); // no longer needed
        repeats.push_back(energy::wholeOf(std::move(overview->run), *std::move(parts),
                                          std::move(overview->totals)));
    }
    return energy::meanOfRepeats(repeats);
}

} // namespace ep::session

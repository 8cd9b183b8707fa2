// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/run_sums.h"

namespace ep::store {

Result<RunSums> RunSums::of(const RunSource& run)
{
    RunSums sums{.known = KnownEnergies(run.head()), .answer = AnswerSections(run.head().info)};
    const Status read = run.read(RunSource::Parts::Overview, [&](const RunTrace& piece) -> Status {
        sums.known.add(piece.tokens);
        sums.answer.add(piece.tokens);
        sums.sections.add(piece.sections);
        for (const Span& section : piece.sections) {
            if (section.token == kNoToken)
                sums.outside.push_back(section);
        }
        return {};
    });
    if (!read)
        return read.error();
    return sums;
}

} // namespace ep::store

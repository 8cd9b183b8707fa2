// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/run_sums.h"

#include <algorithm>

namespace ep::store {

namespace {

void add(const SectionSpan& section, std::vector<SectionTotal>& totals)
{
    auto total = std::find_if(totals.begin(), totals.end(), [&](const SectionTotal& known) {
        return known.section == section.section;
    });
    if (total == totals.end())
        total = totals.insert(totals.end(), SectionTotal{section.section, {}});
    total->sum.add(tallyOf(section.time, section.energy));
}

} // namespace

Result<RunSums> RunSums::of(const RunSource& run)
{
    const std::vector<PhaseSpan>& phases = run.head().trace.phases;
    RunSums sums{.known = KnownEnergies(run.head()),
                 .answer = AnswerSections(run.head().info),
                 .sections = std::vector<std::vector<SectionTotal>>(phases.size()),
                 .outside = {}};
    const Status read = run.read(RunSource::Parts::Overview, [&](const RunTrace& piece) -> Status {
        sums.known.add(piece.tokens);
        sums.answer.add(piece.tokens);
        for (const SectionSpan& section : piece.sections) {
            for (std::size_t i = 0; i < phases.size(); ++i) {
                if (section.phase == phases[i].phase)
                    add(section, sums.sections[i]);
            }
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/token_ledger.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

namespace ep {
namespace {

// A prompt of 40 tokens, 32 of which were kept; then steps of 12 mJ and more, 2 mJ of it for
// proposing: four proposed tokens per step, of which 4, 0 and 2 are accepted. Between the steps
// of the decode, 3 mJ are used.
struct DraftedRun {
    RunInfo info;
    RunTrace trace;

    explicit DraftedRun(bool endsWithAccepted = false)
    {
        info.input_tokens = 40;
        add(0, 1, 12.0);
        add(1, 5, 12.0);
        add(2, 1, 22.0);
        add(3, endsWithAccepted ? 2 : 3, 7.0);
        const auto phase = [&](Phase which, TimeRange time, double mj) {
            PhaseSpan span{which, time, {}};
            span.energy.total_mj = Millijoules{mj};
            span.energy.provenance = Provenance::Attributed;
            trace.phases.push_back(span);
        };
        phase(Phase::PreInference, {-50, 0}, 100.0);
        phase(Phase::Prefill, {0, 100}, 12.0);
        phase(Phase::Decode, {100, 400}, 44.0);
        info.output_tokens = endsWithAccepted ? 9 : 10;
        info.profiling.token_counts = {.cached = 32, .draft = "a: b", .drafted = 12, .accepted = 6};
    }

    void add(std::int32_t index, std::int32_t tokens, double mj)
    {
        const Nanoseconds begin = index * 100;
        TokenSpan token;
        token.index = index;
        token.sequences = tokens;
        token.phase = index == 0 ? Phase::Prefill : Phase::Decode;
        token.time = {begin, begin + 100};
        token.energy.total_mj = Millijoules{mj};
        if (index > 0)
            token.drafted = 4;
        token.energy.provenance = Provenance::Attributed;
        Span section = Span::ofSection(token.phase, Section::Sampling, index, {begin, begin + 10});
        section.energy_mj = Millijoules{2.0};
        section.provenance = Provenance::Attributed;
        trace.tokens.push_back(std::move(token));
        trace.sections.push_back(section);
        section.section = Section::Embedding;
        section.time = {begin + 10, begin + 20};
        trace.sections.push_back(section);
        section.section = Section::Sampling; // the choice at the end is not a proposal
        section.time = {begin + 80, begin + 90};
        trace.sections.push_back(std::move(section));
    }
};

double energyOf(const TokenLedger::Row& row)
{
    return row.energy.energy_mj ? row.energy.energy_mj->value : -1.0;
}

TEST(TokenLedger, NotesSayTheCounts)
{
    const auto notes =
        tokenNotes({.cached = 32, .draft = "a: b", .drafted = 12, .accepted = 6}, 40);
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_EQ(notes.front(), "Prompt cache: 32 of 40 prompt tokens were not computed again.");
    EXPECT_EQ(notes.back(), "Draft by a: b: 12 tokens proposed = 6 accepted + 6 rejected.");
    EXPECT_TRUE(tokenNotes({}, 40).empty());
}

double sumOf(const TokenLedger& ledger)
{
    double sum = 0.0;
    for (const TokenLedger::Row* row : {&ledger.computed, &ledger.drafted, &ledger.accepted,
                                        &ledger.rejected, &ledger.own, &ledger.between})
        sum += row->energy.spans > 0 ? energyOf(*row) : 0.0;
    return sum;
}

TEST(TokenLedger, RowsAddUp)
{
    const DraftedRun run;
    const TokenLedger ledger = tokenLedger(run.info, run.trace);
    EXPECT_EQ(ledger.cached.tokens + ledger.computed.tokens, run.info.input_tokens);
    EXPECT_EQ(ledger.accepted.tokens + ledger.rejected.tokens, ledger.drafted.tokens);
    EXPECT_EQ(ledger.own.tokens + ledger.accepted.tokens, run.info.output_tokens);
    EXPECT_EQ(ledger.own.tokens, 4);
    EXPECT_EQ(ledger.cached.energy.spans, 0);
    EXPECT_DOUBLE_EQ(energyOf(ledger.computed), 10.0);
    EXPECT_DOUBLE_EQ(energyOf(ledger.drafted), 8.0);
    // A token's energy depends on its step: the steps took 10, 20 and 5 mJ for five positions each.
    EXPECT_DOUBLE_EQ(energyOf(ledger.accepted), 4 * 2.0 + 2 * 1.0);
    EXPECT_DOUBLE_EQ(energyOf(ledger.rejected), 4 * 4.0 + 2 * 1.0);
    EXPECT_DOUBLE_EQ(energyOf(ledger.own), 2.0 + 4.0 + 1.0);
    EXPECT_DOUBLE_EQ(energyOf(ledger.between), 3.0);
    EXPECT_NEAR(sumOf(ledger), 56.0, 56e-12);
}

// The answer ends with a proposed token: the model's own choice after it is not used.
TEST(TokenLedger, TheLastStepMayHaveNoTokenOfItsOwn)
{
    const DraftedRun run(true);
    const TokenLedger ledger = tokenLedger(run.info, run.trace);
    EXPECT_EQ(ledger.own.tokens, 3);
    EXPECT_DOUBLE_EQ(energyOf(ledger.accepted), 4 * 2.0 + 2 * 1.0);
    EXPECT_NEAR(sumOf(ledger), 56.0, 56e-12);
}

TEST(TokenLedger, WithoutEnergiesThereAreNone)
{
    DraftedRun run;
    for (TokenSpan& token : run.trace.tokens)
        token.energy = {};
    for (Span& section : run.trace.sections)
        section.setEnergy({});
    for (PhaseSpan& phase : run.trace.phases)
        phase.energy = {};
    const TokenLedger ledger = tokenLedger(run.info, run.trace);
    EXPECT_EQ(ledger.accepted.tokens, 6);
    for (const TokenLedger::Row* row : {&ledger.computed, &ledger.drafted, &ledger.accepted,
                                        &ledger.rejected, &ledger.own, &ledger.between})
        EXPECT_FALSE(row->energy.energy_mj);
}

} // namespace
} // namespace ep

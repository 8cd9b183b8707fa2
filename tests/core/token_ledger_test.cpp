// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/token_ledger.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

namespace ep {
namespace {

// A prompt of 40 tokens, 32 of which were kept; then steps of 12 mJ each, 2 mJ of it for
// proposing: four proposed tokens per step, of which 4, 0 and 2 are accepted.
struct DraftedRun {
    RunInfo info;
    RunTrace trace;

    explicit DraftedRun(bool endsWithAccepted = false)
    {
        info.input_tokens = 40;
        add(0, 1);
        add(1, 5);
        add(2, 1);
        add(3, endsWithAccepted ? 2 : 3);
        info.output_tokens = endsWithAccepted ? 9 : 10;
        info.execution.notes = {"The vision part is not loaded."};
        for (const std::string& note :
             tokenNotes({.cached = 32, .draft = "a: b", .drafted = 12, .accepted = 6}, 40))
            info.execution.notes.push_back(note);
    }

    void add(std::int32_t index, std::int32_t tokens)
    {
        const Nanoseconds begin = index * 100;
        TokenSpan token;
        token.index = index;
        token.sequences = tokens;
        token.phase = index == 0 ? Phase::Prefill : Phase::Decode;
        token.time = {begin, begin + 100};
        token.energy.total_mj = Millijoules{12.0};
        token.energy.provenance = Provenance::Attributed;
        SectionSpan section;
        section.phase = token.phase;
        section.section = Section::Sampling;
        section.token = index;
        section.time = {begin, begin + 10};
        section.energy.total_mj = Millijoules{2.0};
        section.energy.provenance = Provenance::Attributed;
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

TEST(TokenLedger, NotesAreReadAgain)
{
    const TokenCounts counts{.cached = 32, .draft = "a: b", .drafted = 12, .accepted = 6};
    ExecutionRecord execution{.notes = tokenNotes(counts, 40)};
    EXPECT_EQ(tokenCounts(execution), counts);
    EXPECT_EQ(execution.notes.front(),
              "Prompt cache: 32 of 40 prompt tokens were not computed again.");
    EXPECT_EQ(execution.notes.back(),
              "Draft by a: b: 12 tokens proposed = 6 accepted + 6 rejected.");
    for (const char* const other :
         {"Draft by nobody.", "Draft by x: 3 tokens proposed = 4 accepted + 1 rejected.",
          "Prompt cache: all of 40 prompt tokens", "Draft by x:  tokens proposed =  accepted + ",
          "Prompt cache: -1 of 40 prompt tokens", "Draft by ", "Prompt cache: "}) {
        execution.notes = {other};
        EXPECT_FALSE(tokenCounts(execution).any()) << other;
    }
    EXPECT_TRUE(tokenNotes({}, 40).empty());
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
    EXPECT_DOUBLE_EQ(energyOf(ledger.accepted), 30.0 * 6.0 / 15.0);
    EXPECT_DOUBLE_EQ(energyOf(ledger.rejected), 30.0 * 6.0 / 15.0);
    EXPECT_NEAR(energyOf(ledger.computed) + energyOf(ledger.drafted) + energyOf(ledger.accepted)
                    + energyOf(ledger.rejected) + energyOf(ledger.own),
                48.0, 1e-9);
}

// The answer ends with a proposed token: the model's own choice after it is not used.
TEST(TokenLedger, TheLastStepMayHaveNoTokenOfItsOwn)
{
    const DraftedRun run(true);
    const TokenLedger ledger = tokenLedger(run.info, run.trace);
    EXPECT_EQ(ledger.own.tokens, 3);
    EXPECT_DOUBLE_EQ(energyOf(ledger.accepted), 30.0 * 6.0 / 15.0);
    EXPECT_NEAR(energyOf(ledger.computed) + energyOf(ledger.drafted) + energyOf(ledger.accepted)
                    + energyOf(ledger.rejected) + energyOf(ledger.own),
                48.0, 1e-9);
}

TEST(TokenLedger, WithoutEnergiesThereAreNone)
{
    DraftedRun run;
    for (TokenSpan& token : run.trace.tokens)
        token.energy = {};
    for (SectionSpan& section : run.trace.sections)
        section.energy = {};
    const TokenLedger ledger = tokenLedger(run.info, run.trace);
    EXPECT_EQ(ledger.accepted.tokens, 6);
    for (const TokenLedger::Row* row :
         {&ledger.computed, &ledger.drafted, &ledger.accepted, &ledger.rejected, &ledger.own})
        EXPECT_FALSE(row->energy.energy_mj);
}

} // namespace
} // namespace ep

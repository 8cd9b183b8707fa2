// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figure_cards.h"
#include "models/selected_figures.h"
#include "support/sample_run.h"

#include "ep/core/token_ledger.h"
#include "ep/ui/charts/selection_controller.h"

#include <gtest/gtest.h>

#include <memory>

namespace ep::ui {
namespace {

QString valueOf(const FigureCard& card, const char* id)
{
    for (const FigureCard::Row& row : card.rows) {
        if (row.id == QLatin1String(id))
            return row.value;
    }
    return QStringLiteral("no such row");
}

struct CacheCase {
    int input;
    int output;
    const char* bytes;
    const char* share;
};

class CachedPositions : public testing::TestWithParam<CacheCase> { };

// The last chosen token is never fed back, so it takes no room in the cache.
TEST_P(CachedPositions, AreThoseThatWentThroughTheLayers)
{
    ep::Run run;
    run.info.model.kv_bytes_per_token = 1000;
    run.info.model.context_length = 512;
    run.info.input_tokens = GetParam().input;
    run.info.output_tokens = GetParam().output;
    const FigureCard card = kvCacheCard(run, {});
    EXPECT_EQ(valueOf(card, "kvEnd").toStdString(), GetParam().bytes);
    EXPECT_EQ(valueOf(card, "kvContext").toStdString(), GetParam().share);
}

INSTANTIATE_TEST_SUITE_P(Runs, CachedPositions,
                         testing::Values(CacheCase{11, 502, "512 kB",
                                                   "512 of 512 tokens (100.0 %)"},
                                         CacheCase{12, 1, "12.0 kB", "12 of 512 tokens (2.3 %)"},
                                         CacheCase{12, 0, "12.0 kB", "12 of 512 tokens (2.3 %)"}));

TEST(QualityCard, HasWhatWasMeasuredOnEachText)
{
    EXPECT_TRUE(qualityCard({}).rows.empty());
    QualityRecord exact;
    exact.text_name = "tale.txt";
    exact.perplexity = 12.3456;
    QualityRecord rounded = exact;
    rounded.text_name = "news.txt";
    rounded.perplexity = 20.0;
    rounded.kl = 0.0021;
    rounded.top1 = 0.981;
    const FigureCard card = qualityCard({exact, rounded});
    ASSERT_EQ(card.rows.size(), 4U); // f32 has nothing to be compared with
    EXPECT_EQ(valueOf(card, "perplexity0").toStdString(), "12.346");
    EXPECT_EQ(card.rows[1].title.toStdString(), "Perplexity on news.txt");
    EXPECT_EQ(valueOf(card, "kl1").toStdString(), "0.00210 nats");
    EXPECT_EQ(valueOf(card, "top1_1").toStdString(), "98.1 %");
}

// A run with a draft has a ledger of its tokens; a plain run, or a part of one, has none.
TEST(LedgerCard, CountsTheTokensOfTheWholeRun)
{
    ep::Run run;
    run.info.input_tokens = 40;
    run.info.output_tokens = 5;
    for (const int tokens : {1, 3, 1}) {
        TokenSpan step;
        step.index = static_cast<std::int32_t>(run.trace.tokens.size());
        step.phase = run.trace.tokens.empty() ? Phase::Prefill : Phase::Decode;
        step.time = {step.index * 100, step.index * 100 + 100};
        step.sequences = tokens;
        if (step.phase == Phase::Decode)
            step.drafted = tokens == 3 ? 3 : 1;
        step.energy = {
            .rails_mj = {}, .total_mj = Millijoules{12.0}, .provenance = Provenance::Measured};
        run.trace.tokens.push_back(step);
    }
    EXPECT_TRUE(ledgerCard(run).rows.empty());
    run.info.profiling.token_counts = {.cached = 32, .draft = "ngram", .drafted = 4, .accepted = 2};
    const FigureCard card = ledgerCard(run);
    EXPECT_EQ(card.note.toStdString(), "Draft by ngram");
    EXPECT_EQ(valueOf(card, "ledger_cached").toStdString(), "32 tokens, —");
    EXPECT_EQ(valueOf(card, "ledger_computed").toStdString(), "8 tokens, 12.0 mJ");
    EXPECT_EQ(valueOf(card, "ledger_accepted").toStdString(), "2 tokens, 6.00 mJ");
    EXPECT_EQ(valueOf(card, "ledger_rejected").toStdString(), "2 tokens, 9.00 mJ");
    EXPECT_EQ(valueOf(card, "ledger_own").toStdString(), "3 tokens, 9.00 mJ");
    EXPECT_EQ(valueOf(card, "ledger_between").toStdString(), "—");
    run.trace.tokens.pop_back();
    EXPECT_TRUE(ledgerCard(run).rows.empty());
}

// Figures, table and charts refer to the same selection and show its name.
TEST(SelectedFigures, AreOfWhatIsChosen)
{
    const auto run = std::make_shared<const ep::Run>(test::makeSampleRun());
    const energy::Ledger ledger(run);
    const RunBreakdown whole = breakDown(run->trace);
    SelectionController chosen;
    chosen.setRun(run);
    const auto energyOf = [&](const energy::Excerpt* excerpt) {
        return selectedEnergy(*run, chosen.selection(), excerpt, &whole);
    };
    const auto title = [&] { return figuresOf(chosen, {}, nullptr, {}).title.toStdString(); };
    EXPECT_EQ(title(), "The whole run");
    EXPECT_EQ(energyOf(nullptr)->sum.energy_mj, run->metrics.energy.total_mj);

    chosen.selectPart(1, Component::QProj);
    EXPECT_EQ(title(), "layer 1 · q_proj");
    Tally all;
    Tally ofToken;
    for (const Span& span : run->trace.components) {
        if (span.layer != 1 || span.component != Component::QProj)
            continue;
        all.add(span.time.duration_ns(), span.energy_mj, Provenance::Attributed);
        if (span.token == 2)
            ofToken.add(span.time.duration_ns(), span.energy_mj, Provenance::Attributed);
    }
    EXPECT_DOUBLE_EQ(energyOf(nullptr)->sum.energy_mj->value, all.energy_mj->value);

    chosen.selectToken(2);
    EXPECT_EQ(title(), "token 2 · layer 1 · q_proj");
    EXPECT_EQ(energyOf(nullptr), std::nullopt); // still to come; not the energy of the run
    const energy::Excerpt excerpt = ledger.excerpt(*chosen.selection().time);
    EXPECT_EQ(energyOf(&excerpt)->sum.energy_mj, ofToken.energy_mj);
    EXPECT_EQ(energyOf(&excerpt)->sum.duration_ns, ofToken.duration_ns);

    chosen.selectPart({}, {});
    EXPECT_EQ(energyOf(&excerpt)->sum.energy_mj, run->trace.tokens[2].energy.total_mj);
}

} // namespace
} // namespace ep::ui

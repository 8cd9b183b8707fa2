// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/compared_runs.h"

#include "ep/energy/comparison.h"
#include "ep/energy/paired_runs.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string_view>

namespace ep::energy {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const MetricCell& cellOf(const Comparison& comparison, RunFigure metric, std::size_t group)
{
    return comparison.row(metric)->groups[group];
}

bool warns(const std::vector<ComparisonWarning>& warnings, const std::string& part)
{
    return std::any_of(warnings.begin(), warnings.end(), [&](const ComparisonWarning& warning) {
        return warning.text.english().find(part) != std::string::npos;
    });
}

const DifferenceNode& nodeOf(const Comparison& comparison, std::string_view word)
{
    return *std::find_if(comparison.tree.begin(), comparison.tree.end(),
                         [&](const DifferenceNode& node) { return node.word == word; });
}

std::vector<RunGroup> pairOf(const RunScript& a, const RunScript& b)
{
    return {{"", {compared(makeRun(a))}}, {"", {compared(makeRun(b))}}};
}

} // namespace

TEST(Comparison, DescribesTwoSingleRunsWithoutATest)
{
    const auto groups = pairOf({.id = "aaaaaaaa"}, {.id = "bbbbbbbb", .joules_per_token = 0.4});
    const Comparison comparison = compare(groups);
    const MetricCell& cell = cellOf(comparison, RunFigure::JoulesPerToken, 1);
    EXPECT_NEAR(cell.test->difference, -0.1, 1e-12);
    EXPECT_NEAR(*cell.test->relative, -0.2, 1e-12);
    EXPECT_FALSE(cell.test->p.has_value());
    EXPECT_EQ(cell.verdict, Verdict::Described);
    EXPECT_EQ(cellOf(comparison, RunFigure::JoulesPerToken, 0).verdict, Verdict::Baseline);
    // Equal values of one run on each side do not show that there is no difference, either.
    EXPECT_EQ(cellOf(comparison, RunFigure::Duration, 1).verdict, Verdict::Described);
    EXPECT_EQ(comparison.tests, 0);
    EXPECT_THAT(sentenceOf(comparison, *comparison.row(RunFigure::JoulesPerToken), 1),
                HasSubstr("-20.0 %; for these runs only"));
    EXPECT_TRUE(warns(comparison.warnings, "fewer than 3 repeats"));
    // Nothing but the runs differs.
    EXPECT_THAT(labelsOf(groups), ElementsAre("aaaaaaaa", "bbbbbbbb"));
    EXPECT_EQ(comparison.row(RunFigure::NetEnergy), nullptr); // no run has a baseline
}

TEST(Comparison, FindsADifferenceBetweenRepeats)
{
    std::mt19937_64 engine(1);
    const std::vector<RunGroup> groups{
        repeats(engine, 5, {.joules_per_token = 0.5, .dtype = "f32"}, 0.01),
        repeats(engine, 5, {.joules_per_token = 0.4, .tokens_per_second = 26.0, .dtype = "bf16"},
                0.01)};
    const Comparison comparison = compare(groups);
    EXPECT_THAT(comparison.differs_in, ElementsAre("dtype"));
    EXPECT_EQ(comparison.groups[0].label, "f32");
    EXPECT_EQ(comparison.tests, 3) << "besides the figure that answers the question";
    auto narrow = groups;
    for (auto& run : narrow[1].runs) {
        auto quantized = std::make_shared<ep::Run>(*run.run);
        quantized->info.dtype = "q4_0";
        quantized->info.model.quantization = "q4_0, as stored";
        quantized->info.model.weight_bytes = 58;
        quantized->info.model.parameters = 100;
        run.run = std::move(quantized);
    }
    EXPECT_EQ(compare(narrow).groups[1].label, "q4_0 (4.6 bits)");
    const MetricCell& energy = cellOf(comparison, RunFigure::JoulesPerToken, 1);
    EXPECT_EQ(energy.verdict, Verdict::Better);
    EXPECT_EQ(*energy.test->p_corrected, *energy.test->p) << "it alone answers the question";
    EXPECT_TRUE(energy.test->interval->contains(-0.2));
    EXPECT_EQ(comparison.groups[1].answer, energy.test);
    EXPECT_THAT(answerOf(comparison, 1).english(),
                testing::StartsWith("bf16 needs 20 % less energy per token than f32 ("));
    const MetricCell& speed = cellOf(comparison, RunFigure::TokensPerSecond, 1);
    EXPECT_GE(*speed.test->p_corrected, *speed.test->p);
    EXPECT_EQ(cellOf(comparison, RunFigure::TokensPerSecond, 1).verdict, Verdict::Better);
    EXPECT_EQ(cellOf(comparison, RunFigure::Energy, 1).verdict, Verdict::Derived);
    EXPECT_THAT(sentenceOf(comparison, *comparison.row(RunFigure::JoulesPerToken), 1),
                HasSubstr("; better, p "));
    EXPECT_THAT(sentenceOf(comparison, *comparison.row(RunFigure::TokensPerSecond), 1),
                HasSubstr("corrected for 3 tests"));

    const Comparison reversed = compare(groups, {.baseline = 1});
    EXPECT_EQ(cellOf(reversed, RunFigure::JoulesPerToken, 0).verdict, Verdict::Worse);
    EXPECT_EQ(cellOf(reversed, RunFigure::JoulesPerToken, 1).verdict, Verdict::Baseline);
}

// Identical configurations may differ significantly in one case out of 20 at most: in the figure
// that answers the question, and in any of the others together.
TEST(Comparison, SeldomSeesADifferenceWhereThereIsNone)
{
    constexpr double kSpread = 0.03;
    constexpr int kTrials = 1000;
    std::mt19937_64 engine(11);
    int wrong = 0;
    int wrongOthers = 0;
    for (int i = 0; i < kTrials; ++i) {
        const Comparison comparison =
            compare({repeats(engine, 5, {}, kSpread), repeats(engine, 5, {}, kSpread)});
        bool others = false;
        for (const MetricRow& row : comparison.rows) {
            const Verdict verdict = row.groups[1].verdict;
            const bool found = verdict == Verdict::Better || verdict == Verdict::Worse
                || verdict == Verdict::Different;
            if (row.metric == comparison.compared)
                wrong += found ? 1 : 0;
            else
                others = others || found;
        }
        wrongOthers += others ? 1 : 0;
    }
    RecordProperty("energy per token", wrong);
    RecordProperty("others", wrongOthers);
    // 5 %, and twice the standard error of the simulation.
    const double most = kTrials * 0.05 + 2.0 * std::sqrt(kTrials * 0.05 * 0.95);
    EXPECT_LE(wrong, most);
    EXPECT_LE(wrongOthers, most);
}

// Both ways of asking give one answer: the pairs of `pays` among stored runs, and as a table.
TEST(Comparison, ComparesPairsAsPairs)
{
    std::mt19937_64 engine(4);
    RunGroup a = repeats(engine, 12, {.joules_per_token = 0.5, .dtype = "q8_0"}, 0.02);
    RunGroup b = repeats(engine, 12, {.joules_per_token = 0.4, .dtype = "q4_1"}, 0.02);
    std::vector<PairedRatio> ratios;
    for (std::size_t i = 0; i < 12; ++i) {
        const bool aFirst = i % 2 == 0;
        for (RunGroup* group : {&a, &b}) {
            auto run = std::make_shared<ep::Run>(*group->runs[i].run);
            run->info.tags = {pairTag(group == &a, static_cast<int>(i) + 1)};
            run->info.created_at_ms =
                static_cast<std::int64_t>(20 * i) + ((group == &a) == aFirst ? 0 : 10);
            group->runs[i].run = std::move(run);
        }
        ratios.push_back({.log_ratio = std::log(*a.runs[i].run->metrics.joules_per_token
                                                / *b.runs[i].run->metrics.joules_per_token),
                          .order = aFirst ? PairOrder::AFirst : PairOrder::BFirst});
    }
    const Comparison comparison = compare({a, b});
    const SideTest& answer = *comparison.groups[1].answer;
    const PairedResult bets = decidePairs(ratios);
    EXPECT_EQ(answer.kind, SideTestKind::PairsUntilKnown);
    EXPECT_EQ(answer.verdict, bets.verdict);
    EXPECT_EQ(answer.pairs_used, bets.pairs_used);
    EXPECT_NEAR(1.0 + *answer.relative, 1.0 / bets.estimate.ratio, 1e-12);
    EXPECT_EQ(cellOf(comparison, RunFigure::JoulesPerToken, 1).verdict, Verdict::Better);
    // The other figures come from the pairs up to the verdict.
    const MetricCell& speed = cellOf(comparison, RunFigure::TokensPerSecond, 1);
    EXPECT_EQ(speed.test->pairs, bets.pairs_used);
    // The other way round, the same difference.
    const Comparison turned = compare({b, a});
    EXPECT_NEAR((1.0 + *turned.groups[1].answer->relative) * (1.0 + *answer.relative), 1.0, 1e-9);
}

TEST(Comparison, TellsWhatCannotBeConcluded)
{
    struct Case {
        RunScript other;
        const char* part;
    };
    const Case cases[] = {
        {{.source = "nvml"}, "different power sources (rapl / nvml)"},
        {{.dtype = "bf16"}, "number formats differ"},
        {{.input_tokens = 50}, "prompts have different lengths (5 / 50 tokens)"},
        {{.prompt = "Twice"}, "prompts differ, but not in length"},
        {{.output_tokens = 41}, "different numbers of tokens (40 / 41)"},
        {{.provenance = Provenance::Modelled}, "1 run are modelled"},
    };
    for (const Case& c : cases)
        EXPECT_TRUE(warns(warningsOf(pairOf({}, c.other)), c.part)) << c.part;

    auto groups = pairOf({}, {});
    ep::Run other = makeRun({});
    other.info.device = "cuda:0";
    other.info.depth = Depth::Deep;
    other.info.environment.torch_version = "2.6";
    other.info.environment.cpu = "another";
    other.info.power.quality = PowerQuality{};
    other.info.power.quality->verdict = QualityVerdict::Poor;
    other.info.power.attribution = AttributionRecord{.method = AttributionMethod::Cost, .note = {}};
    other.info.status = RunStatus::Cancelled;
    other.metrics.energy = {};
    groups[1].runs = {compared(other)};
    const auto warnings = warningsOf(groups);
    for (const char* part : {"devices differ", "depths differ", "LibTorch versions", "machines",
                             "are poor", "split over layers", "did not complete", "has no energy"})
        EXPECT_TRUE(warns(warnings, part)) << part;
    EXPECT_TRUE(std::is_sorted(warnings.begin(), warnings.end(), [](const auto& a, const auto& b) {
        return static_cast<int>(a.weight) > static_cast<int>(b.weight);
    }));
}

// Of a batch, each sequence has a length; neither totals nor means are lengths.
TEST(Comparison, TellsTheLengthsOfTheSequencesOfABatch)
{
    const auto batchOf = [](std::vector<int> inputs, std::vector<int> outputs) {
        RunScript script{.input_tokens = 0, .output_tokens = 0};
        std::vector<BatchSequence> batch;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            batch.push_back({.prompt = "p",
                             .response = {},
                             .input_tokens = inputs[i],
                             .output_tokens = outputs[i]});
            script.input_tokens += inputs[i];
            script.output_tokens += outputs[i];
        }
        ep::Run run = makeRun(script);
        run.info.batch = std::move(batch);
        return run;
    };
    const auto found = [](const ep::Run& a, const ep::Run& b) {
        return warningsOf({{"", {compared(a)}}, {"", {compared(b)}}});
    };
    const ep::Run uneven = batchOf({5, 5, 4, 4}, {16, 17, 17, 17});
    const auto beside =
        found(uneven, makeRun({.prompt = "Hello", .input_tokens = 4, .output_tokens = 200}));
    EXPECT_TRUE(warns(beside, "lengths (2 × 4 + 2 × 5 / 4 tokens)"));
    EXPECT_TRUE(warns(beside, "numbers of tokens (16 + 3 × 17 / 200)"));
    EXPECT_FALSE(warns(beside, "but not in length"));
    const ep::Run even = batchOf({5, 5}, {40, 40});
    EXPECT_FALSE(warns(found(even, makeRun({})), "tokens"));
    EXPECT_TRUE(warns(found(even, makeRun({.output_tokens = 41})), "(2 × 40 / 41)"));
}

TEST(Comparison, SaysWhatTheFiguresOfARecordedCommandContain)
{
    auto groups = pairOf({}, {});
    ep::Run recorded = makeRun({});
    recorded.info.prompt.clear();
    recorded.info.profiling.command.emplace().arguments = {"python3", "app.py"};
    groups[1].runs = {compared(recorded)};
    const auto warnings = warningsOf(groups);
    EXPECT_TRUE(warns(warnings, "those of all of it, with loading the model"));
    EXPECT_FALSE(warns(warnings, "prompts differ")) << "the prompt of a command is not known";
    EXPECT_THAT(compare(groups).groups.at(1).label, testing::Not(HasSubstr("\"\"")));
}

TEST(Comparison, TellsDifferentKernelsButNotUnknownOnes)
{
    const auto warned = [](const char* first, const char* second) {
        auto groups = pairOf({}, {});
        for (std::size_t group = 0; group < 2; ++group) {
            ep::Run run = makeRun({});
            run.info.profiling.kernels = group == 0 ? first : second;
            groups[group].runs = {compared(run)};
        }
        return warns(warningsOf(groups), "computed by different kernels (AVX2, one / AVX2, four)");
    };
    EXPECT_TRUE(warned("AVX2, one", "AVX2, four"));
    EXPECT_FALSE(warned("AVX2, one", "AVX2, one"));
    EXPECT_FALSE(warned("AVX2, one", "")); // run of an earlier version
}

TEST(Comparison, OfAServerMuchIsNotKnownWhichIsNoDifference)
{
    auto groups = pairOf({.id = "aaaaaaaa"}, {.id = "bbbbbbbb"});
    auto asked = std::make_shared<ep::Run>(*groups[0].runs[0].run);
    asked->info.profiling.server.emplace().engine = "llama.cpp b4689";
    asked->info.device = "server";
    asked->info.dtype.clear();
    asked->info.depth = Depth::None;
    asked->info.environment.torch_version.clear();
    asked->info.model.layers = 0;
    groups[0].runs[0].run = std::move(asked);
    auto& own = groups[1].runs[0].run;
    auto here = std::make_shared<ep::Run>(*own);
    here->info.dtype = "f32";
    here->info.environment.torch_version = "2.6.0";
    here->info.model.layers = 12;
    own = std::move(here);
    const Comparison comparison = compare(groups);
    EXPECT_THAT(comparison.differs_in, testing::Contains("engine"));
    EXPECT_THAT(labelsOf(groups),
                ElementsAre(HasSubstr("llama.cpp b4689"), HasSubstr("built-in engine")));
    EXPECT_TRUE(
        warns(comparison.warnings, "The device, number format and layers of llama.cpp b4689"));
    for (const char* unknown : {"devices differ", "LibTorch versions", "number formats differ",
                                "numbers of layers", "depths differ"})
        EXPECT_FALSE(warns(comparison.warnings, unknown)) << unknown;
}

// The table of settings says which ones have no property of their own; a run measured differently
// is not a different run.
TEST(Comparison, NamesRunsBySettingsWithoutAPropertyOfTheirOwn)
{
    auto groups = pairOf({.id = "aaaaaaaa"}, {.id = "bbbbbbbb"});
    const auto labelsWith = [&](const RecordedSettings& settings) {
        auto run = std::make_shared<ep::Run>(*groups[1].runs[0].run);
        run->info.profiling.settings = settings;
        groups[1].runs[0].run = run;
        return labelsOf(groups);
    };
    EXPECT_THAT(labelsWith({{"warmup_tokens", std::int64_t{8}}, {"kv_cache", "q8_0"}}),
                ElementsAre("aaaaaaaa", "bbbbbbbb"));
    EXPECT_THAT(labelsWith({{"prompt_cache", true}, {"of_a_later_version", 0.5}}),
                ElementsAre("aaaaaaaa", "prompt_cache on, of_a_later_version 0.5"));
}

TEST(Comparison, KnowsRepeats)
{
    const ep::Run one = makeRun({.id = "1"});
    const ep::Run two = makeRun({.id = "2", .joules_per_token = 0.7});
    const ep::Run other = makeRun({.id = "3", .dtype = "bf16"});
    ep::Run partial = makeRun({.id = "4"});
    partial.info.status = RunStatus::Interrupted;
    EXPECT_EQ(repeatKey(one.info), repeatKey(two.info));
    EXPECT_NE(repeatKey(one.info), repeatKey(other.info));
    EXPECT_THAT(groupRepeats({&one.info, &other.info, &partial.info, &two.info}),
                ElementsAre(ElementsAre(0, 3), ElementsAre(1), ElementsAre(2)));
}

TEST(Comparison, NormalisesTheTree)
{
    struct Case {
        Normalisation normalisation;
        double divisor;
    };
    for (const Case& c : {Case{Normalisation::PerRun, 1.0}, Case{Normalisation::PerToken, 40.0},
                          Case{Normalisation::PerInputToken, 5.0},
                          Case{Normalisation::PerMillionParameters, 5.0}}) {
        EXPECT_EQ(normalisationFromName(name(c.normalisation)), c.normalisation);
        const Comparison comparison =
            compare(pairOf({}, {.joules_per_token = 0.4}), {.normalisation = c.normalisation});
        const DifferenceNode& run = nodeOf(comparison, "run");
        EXPECT_NEAR(*run.energy_mj[0].mean, 20'000.0 / c.divisor, 1e-6);
        EXPECT_NEAR(*run.energy_mj[1].difference, -4000.0 / c.divisor, 1e-6);
        EXPECT_FALSE(run.energy_mj[1].ci95.has_value()) << "single runs";
        EXPECT_FALSE(run.energy_mj[0].difference.has_value());
        EXPECT_EQ(nodeOf(comparison, "rest of the layers").depth, 1);
        const DifferenceNode& component = nodeOf(comparison, "down_proj");
        EXPECT_EQ(component.parent, 0);
        const DifferenceNode& layer = nodeOf(comparison, "layer 0");
        EXPECT_EQ(comparison.tree[static_cast<std::size_t>(layer.parent)].word, "q_proj");
    }
}

// The error of a section is common to all tokens: one fit, one sensor.
TEST(Comparison, DeviationsOfOneRunAddUpAsTheyAre)
{
    const auto withTokens = [](RunScript script) {
        ep::Run run = makeRun(script);
        for (Span& section : run.trace.sections)
            section.section = Section::LmHead;
        for (int token = 1; token < 40; ++token)
            run.trace.sections.push_back(run.trace.sections[1]);
        return run;
    };
    const Comparison comparison =
        compare({{"", {compared(withTokens({}))}},
                 {"", {compared(withTokens({.joules_per_token = 0.495}))}}});
    const auto sections = std::find_if(
        comparison.tree.begin(), comparison.tree.end(), [](const DifferenceNode& node) {
            return node.phase == Phase::Decode && node.section == Section::LmHead;
        });
    ASSERT_NE(sections, comparison.tree.end());
    // A difference of 1 % of 40 sections whose sum is known to 1 %, and not to 1 % / sqrt(40).
    const NodeTest& test = sections->tests[1];
    EXPECT_TRUE(test.repeats_at_least);
    EXPECT_GT(test.repeats_needed, 10);
    EXPECT_FALSE(sections->energy_mj[1].ci95.has_value());
}

TEST(Comparison, LaysOutLayersAndComponents)
{
    std::mt19937_64 engine(2);
    const Comparison comparison = compare(
        {repeats(engine, 4, {}, 0.01), repeats(engine, 4, {.joules_per_token = 0.25}, 0.01)});
    EXPECT_EQ(comparison.layers.layers, 2);
    EXPECT_THAT(comparison.layers.components, ElementsAre(Component::QProj, Component::DownProj));
    const NodeCell& cell = comparison.layers.energy_mj[1][3]; // layer 1, down_proj
    EXPECT_NEAR(*cell.mean, 250.0 * 0.25, 1.0);
    EXPECT_NEAR(*cell.difference, -250.0 * 0.25, 2.0);
    EXPECT_TRUE(cell.ci95.has_value());
    EXPECT_FALSE(comparison.layers.energy_mj[0][3].difference.has_value());
    EXPECT_TRUE(comparison.layers.time_ms[1][0].mean.has_value());
}

TEST(Comparison, MissingStaysMissing)
{
    ep::Run silent = makeRun({});
    silent.metrics.energy = {};
    silent.metrics.joules_per_token.reset();
    for (PhaseSpan& phase : silent.trace.phases)
        phase.energy = {};
    for (Span& section : silent.trace.sections)
        section.setEnergy({});
    const Comparison comparison = compare(
        {{"", {compared(makeRun({}))}}, {"none", {{std::make_shared<ep::Run>(silent), {}}}}});
    EXPECT_EQ(cellOf(comparison, RunFigure::JoulesPerToken, 1).verdict, Verdict::Missing);
    EXPECT_EQ(cellOf(comparison, RunFigure::JoulesPerToken, 1).test, std::nullopt);
    EXPECT_FALSE(nodeOf(comparison, "run").energy_mj[1].mean.has_value());
    EXPECT_TRUE(nodeOf(comparison, "run").time_ms[1].difference.has_value());
    EXPECT_EQ(comparison.tested, NodeQuantity::Time);
    EXPECT_FALSE(nodeOf(comparison, "q_proj").time_ms[1].mean.has_value());
    EXPECT_EQ(nodeOf(comparison, "q_proj").tests[1].verdict, NodeVerdict::OnlyInBaseline);
    EXPECT_EQ(sentenceOf(comparison, nodeOf(comparison, "q_proj"), 1),
              "only in " + comparison.groups[0].label.english());
    EXPECT_EQ(comparison.groups[1].label, "none");
    EXPECT_EQ(sentenceOf(comparison, *comparison.row(RunFigure::JoulesPerToken), 1),
              "not known on both sides");
    EXPECT_TRUE(compare({}).rows.empty());
}

TEST(DifferenceLimit, IsRead)
{
    struct Case {
        const char* text;
        DifferenceLimit limit;
    };
    const Case cases[] = {
        {"joules_per_token > +5%", {RunFigure::JoulesPerToken, true, 0.05, true}},
        {" tokens_per_second<-3 % ", {RunFigure::TokensPerSecond, false, -0.03, true}},
        {"energy > 2.5", {RunFigure::Energy, true, 2.5, false}},
    };
    for (const Case& c : cases) {
        const auto limit = parseLimit(c.text);
        ASSERT_TRUE(limit.has_value()) << c.text;
        EXPECT_EQ(*limit, c.limit) << c.text;
    }
    for (const char* text : {"", "joules_per_token", "joules > 5%", "energy > much", "energy > 5 J",
                             "energy > ", "energy > nan"})
        EXPECT_FALSE(parseLimit(text).has_value()) << text;
}

} // namespace ep::energy

// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_engine.h"
#include "support/fake_power_feed.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include "ep/session/pays_card.h"
#include "ep/session/pays_runner.h"
#include "ep/session/run_settings.h"

#include <QEventLoop>
#include <QTimer>

#include <gmock/gmock.h>

#include <cmath>

namespace {

using namespace ep;
using namespace ep::session;
using testing::HasSubstr;
using testing::SizeIs;

RunRequest common(const std::string& model = "tiny")
{
    RunRequest run = usualOfPairs();
    run.load.folder = model;
    run.prompt = "Once";
    run.max_new_tokens = 6;
    run.interval_ms = 20;
    run.warmup_tokens = 0;
    return run;
}

NamedSettings side(const std::string& text)
{
    const auto parsed = parseSide(text, common());
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().message);
    return parsed ? *parsed : NamedSettings{};
}

TEST(PaysSide, ReadsSettings)
{
    EXPECT_EQ(side("int8").dtype(), "int8");
    EXPECT_EQ(side("int8").model(), "tiny");
    EXPECT_EQ(side("other").model(), "other");
    EXPECT_EQ(side("cpu").device(), "cpu");
    const NamedSettings several = side("model=m,dtype=bf16,threads=2,batch=4,device=cpu");
    EXPECT_EQ(several.model(), "m");
    EXPECT_EQ(several.dtype(), "bf16");
    EXPECT_EQ(several.run.load.threads, 2);
    EXPECT_EQ(several.run.batch_size, 4);
    EXPECT_EQ(several.run.prompt, "Once");
    EXPECT_EQ(side("temperature=0.5,top-k=3").run.sampling.temperature, 0.5);
    EXPECT_EQ(side("temperature=0.5,top_k=3").run.sampling.top_k, 3);
    const NamedSettings server = side("http://127.0.0.1:8080,model=qwen,dialect=openai-chat");
    ASSERT_TRUE(server.run.server);
    EXPECT_EQ(*server.run.server,
              (ServerTarget{.address = "http://127.0.0.1:8080",
                            .model = "qwen",
                            .dialect = "openai-chat",
                            .token = {}}));
    EXPECT_EQ(server.device(), "server");
    EXPECT_EQ(side("11434").run.server->address, "11434");
    EXPECT_EQ(side("11434,temperature=1").run.server->model, "tiny");
}

// Every setting has the same values in a side as everywhere; settings that no side can have are
// refused.
TEST(PaysSide, HasTheSettingsOfTheTable)
{
    for (const RunSetting& row : runSettings()) {
        if (row.option.empty())
            continue;
        const std::string key(row.option.substr(2));
        const auto takes = [&](const std::string& value) {
            return parseSide(key + '=' + value, common()).has_value();
        };
        const bool allowed = (row.places & kInSides) != 0;
        const auto [least, most] = std::pair(row.values.least, row.values.most);
        if (row.number()) {
            EXPECT_EQ(takes(std::to_string(least)), allowed) << key;
            EXPECT_EQ(takes(std::to_string(most)), allowed) << key;
            EXPECT_FALSE(takes(std::to_string(least - 1))) << key;
            EXPECT_FALSE(takes(std::to_string(most + 1))) << key;
            continue;
        }
        const auto words = row.toggles() ? std::vector<std::string>{"on", "off"}
            : row.values.list            ? row.values.list()
                                         : std::vector<std::string>{"a"};
        for (const std::string& word : words)
            EXPECT_EQ(takes(word), allowed) << key << '=' << word;
        if (row.toggles() || row.values.list) {
            EXPECT_FALSE(takes("no such word")) << key;
        }
    }
}

TEST(PaysSide, RefusesWhatIsNone)
{
    for (const char* text : {"dtype=f3", "threads=-1", "threads=x", "batch=-1", "speed=3",
                             "model=", "http://127.0.0.1:1,dtype=int8", "dialect=openai-chat"})
        EXPECT_THAT(
            parseSide(text, common()).error().message.english(),
            testing::StartsWith(std::string("The setting '") + text + "' cannot be used: "));
    EXPECT_FALSE(parseSide("int8", common("")));
}

TEST(PaysPlan, RunsEachTwoPairsInBothOrders)
{
    PaysSpec spec;
    spec.most_pairs = 200;
    int aFirst = 0;
    const auto steps = planPairs(spec);
    ASSERT_THAT(steps, SizeIs(400));
    for (std::size_t i = 0; i < steps.size(); i += 2) {
        EXPECT_EQ(steps[i].pair, steps[i + 1].pair);
        EXPECT_NE(steps[i].a, steps[i + 1].a);
        if (i % 4 == 0) {
            EXPECT_NE(steps[i].a, steps[i + 2].a);
            aFirst += steps[i].a ? 1 : 0;
        }
    }
    EXPECT_GT(aFirst, 25); // out of 100
    EXPECT_LT(aFirst, 75);
    EXPECT_EQ(planPairs(spec), steps);
    spec.seed = 2;
    EXPECT_NE(planPairs(spec), steps);
}

RunSummary pairRun(const char* tag, const char* dtype)
{
    RunSummary run;
    run.info.id = tag;
    run.info.status = RunStatus::Complete;
    run.info.tags = {tag};
    run.info.model.name = "m";
    run.info.model.fingerprint = "f";
    run.info.dtype = dtype;
    return run;
}

TEST(PaysQuality, StandsBesideTheVerdict)
{
    const std::vector<RunSummary> runs{pairRun("pays:a#1", "int8"), pairRun("pays:b#1", "f32")};
    QualityRecord a{.model = "m", .fingerprint = "f", .dtype = "int8"};
    a.text_hash = "sha256:1";
    a.nll = 3.25;
    QualityRecord b = a;
    b.dtype = "f32";
    b.nll = 3.0;
    PaysDecision decision;
    addQuality(runs, {a, b}, decision);
    ASSERT_THAT(decision.figures, SizeIs(1));
    EXPECT_EQ(decision.figures[0].name, "perplexity");
    EXPECT_NEAR(*decision.figures[0].test.relative, std::expm1(-0.25), 1e-12);
    EXPECT_FALSE(decision.figures[0].test.interval) << "records of before their parts";
    a.nll_blocks = {3.0, 3.25, 3.5, 3.25};
    b.nll_blocks = {2.75, 3.0, 3.3, 2.95}; // variation that both share is not uncertainty
    PaysDecision parts;
    addQuality(runs, {a, b}, parts);
    ASSERT_TRUE(parts.figures[0].test.interval);
    const double half = 3.182446305284263 * std::sqrt(0.005 / 3.0 / 4.0); // t, 3 degrees of freedom
    EXPECT_NEAR(parts.figures[0].test.interval->low, std::expm1(-0.25 - half), 1e-9);
    EXPECT_NEAR(parts.figures[0].test.interval->high, std::expm1(-0.25 + half), 1e-9);
    EXPECT_THAT(
        verdictSentence(decision).english(),
        HasSubstr("The text of A is worse than that of B: its perplexity is 28.4 % higher."));
    EXPECT_THAT(verdictSentence(parts).english(), HasSubstr("its perplexity is 28.4 % higher (2"));
    PaysDecision other;
    b.text_hash = "sha256:2"; // made with another text
    addQuality(runs, {a, b}, other);
    EXPECT_TRUE(other.figures.empty());
}

TEST(PaysPairs, CountOnlyWhereBothRunsHaveEnergy)
{
    std::vector<RunSummary> runs;
    for (const char* tag : {"pays:b#2", "pays:a#2", "pays:a#1", "pays:b#1", "pays:a#3"}) {
        RunSummary run = pairRun(tag, "f32");
        run.info.created_at_ms = 1000 + static_cast<std::int64_t>(runs.size());
        run.info.output_tokens = 10;
        run.metrics.duration_ns = 50'000'000;
        run.metrics.joules_per_token = 0.25;
        run.metrics.energy = {
            .rails_mj = {}, .total_mj = Millijoules{2500.0}, .provenance = Provenance::Modelled};
        runs.push_back(run);
    }
    runs[3].metrics.joules_per_token.reset();
    const StoredPairs pairs = pairsOf(runs);
    ASSERT_THAT(pairs.table.pairs, SizeIs(2)); // the third pair has only one run
    EXPECT_EQ(pairs.table.pairs[0].order, energy::PairOrder::AFirst);
    EXPECT_EQ(pairs.table.pairs[1].order, energy::PairOrder::BFirst);
    EXPECT_EQ(pairs.table.pairs[1].values[0], (powerlog::PairValues{.a = 250.0, .b = 250.0}));
    EXPECT_EQ(pairs.table.pairs[1].values[1], (powerlog::PairValues{.a = 5.0, .b = 5.0}));
    EXPECT_THAT(pairs.table.ratios(0), SizeIs(1));
    EXPECT_EQ(pairs.runs,
              (std::vector<std::string>{"pays:a#1", "pays:b#1", "pays:a#2", "pays:b#2"}));
    EXPECT_EQ(pairs.provenance, Provenance::Modelled);
    ASSERT_THAT(pairs.table.findings, SizeIs(2));
    EXPECT_THAT(pairs.table.findings[0].text, HasSubstr("pair 1: a run has no energy"));
}

// The power of a run depends on its setting: the fake engine's format decides it.
class PaysRunnerTest : public testing::Test {
protected:
    PaysRunnerTest() { test::writeTinyModel(m_folder / "tiny"); }

    PaysSpec spec()
    {
        PaysSpec spec;
        spec.name = "pays test";
        spec.a = side("tiny");
        spec.b = side("tiny,batch=8");
        spec.most_pairs = 40;
        return spec;
    }

    PaysResult run(const PaysSpec& spec, const test::EngineScript& engine = {},
                   const std::function<void(PaysRunner&)>& watch = {})
    {
        const auto library = std::make_shared<test::FakeEngineLibrary>(engine);
        const Backend backend = test::scriptedBackend(m_power, library);
        PaysRunner runner(
            spec,
            {.database = database(),
             .findModel = [this](const std::string& name) -> Result<std::filesystem::path> {
                 if (name == "tiny")
                     return m_folder / "tiny";
                 if (std::filesystem::path(name).is_absolute())
                     return std::filesystem::path(name);
                 return Error{ErrorCode::NotFound, "There is no model " + name + "."};
             }},
            backend);
        QEventLoop loop;
        QObject::connect(&runner, &PaysRunner::finished, &loop, &QEventLoop::quit);
        if (watch)
            watch(runner);
        constexpr int kHangMs = 240'000;
        QTimer::singleShot(kHangMs, &loop, [&] { loop.exit(1); });
        runner.start();
        EXPECT_EQ(loop.exec(), 0) << "the pairs did not end";
        return runner.result();
    }

    std::filesystem::path database() const { return m_folder.path() / "runs.db"; }
    std::size_t storedRuns() const
    {
        const auto store = store::Store::open(database());
        return (*store)->list()->size();
    }

    test::TempFolder m_folder;
    test::PowerScript m_power;
};

// A batch of eight takes the fake engine as long as a single sequence, at the same power, so its
// tokens cost an eighth: more than a busy machine adds to the times.
TEST_F(PaysRunnerTest, StopsWhenItIsKnown)
{
    const test::EngineScript engine{.layer_time = std::chrono::microseconds(2000)};
    const PaysResult result = run(spec(), engine);
    ASSERT_FALSE(result.error) << result.error->message;
    EXPECT_EQ(result.decision.test.verdict, energy::PairedVerdict::BCheaper);
    EXPECT_GE(result.decision.test.pairs_used, energy::kMinPairs);
    EXPECT_LT(result.decision.test.pairs_used, 40);
    EXPECT_EQ(storedRuns(), static_cast<std::size_t>(2 * result.decision.test.pairs_used));
    EXPECT_THAT(verdictSentence(result.decision).english(),
                testing::ContainsRegex("needs .* less energy per token than"));
    EXPECT_EQ(result.pairs.table.pairs.size() * 2, result.pairs.runs.size());

    // Repeating it finds the stored answer.
    const PaysResult again = run(spec(), engine);
    EXPECT_EQ(again.decision, result.decision);
    EXPECT_EQ(storedRuns(), static_cast<std::size_t>(2 * result.decision.test.pairs_used));

    // The card of the result can be read and says the same.
    const auto card = makeCard(spec(), result, database());
    ASSERT_TRUE(card) << card.error().message;
    const auto read = readCard(cardJson(*card), "card.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, *card);
    EXPECT_EQ(decide(pairTableOf(*read)).test.verdict, result.decision.test.verdict);
}

TEST_F(PaysRunnerTest, ContinuesWhereItWasCancelled)
{
    const test::EngineScript engine{.layer_time = std::chrono::microseconds(2000)};
    PaysSpec wanted = spec();
    wanted.b = side("tiny"); // equal settings take long to decide
    wanted.most_pairs = 5;
    wanted.test.smallest_difference = 0.001;
    const PaysResult first = run(wanted, engine, [](PaysRunner& runner) {
        QObject::connect(&runner, &PaysRunner::pairFinished, &runner, [&runner] {
            if (runner.result().decision.test.pairs == 2)
                runner.cancel();
        });
    });
    EXPECT_TRUE(first.cancelled);
    EXPECT_EQ(first.decision.test.pairs, 2);
    EXPECT_EQ(first.decision.test.verdict, energy::PairedVerdict::Unknown);
    const PaysResult second = run(wanted, engine);
    EXPECT_FALSE(second.cancelled);
    EXPECT_LE(second.decision.test.pairs, 5);
    EXPECT_EQ(storedRuns(), static_cast<std::size_t>(2 * second.decision.test.pairs));
}

// Pairs of one name answer one question; the same folder by another name is the same model.
TEST_F(PaysRunnerTest, RefusesPairsOfOtherSettings)
{
    const test::EngineScript engine{.layer_time = std::chrono::microseconds(2000)};
    PaysSpec wanted = spec();
    wanted.fixed_pairs = 1;
    const PaysResult first = run(wanted, engine);
    ASSERT_FALSE(first.error) << first.error->message;
    ASSERT_EQ(storedRuns(), 2U);
    const auto edited = [&](const auto& edit) {
        PaysSpec other = wanted;
        edit(other);
        return other;
    };
    const std::vector<PaysSpec> others{
        edited([&](PaysSpec& other) { other.b = side("tiny,batch=4"); }),
        edited([](PaysSpec& other) { std::swap(other.a, other.b); }),
        edited([](PaysSpec& other) { other.a.run.prompt = other.b.run.prompt = "Another"; }),
        edited([](PaysSpec& other) { ++other.a.run.max_new_tokens; })};
    for (const PaysSpec& other : others) {
        const PaysResult result = run(other, engine);
        ASSERT_TRUE(result.error);
        EXPECT_EQ(result.error->code, ErrorCode::InvalidInput);
        EXPECT_THAT(result.error->message,
                    HasSubstr("The experiment \"pays test\" holds pairs of other settings"));
        EXPECT_EQ(result.decision.test.pairs, 0);
    }
    PaysSpec same = wanted;
    same.a.run.load.folder = m_folder / "." / "tiny";
    EXPECT_FALSE(run(same, engine).error);
    EXPECT_EQ(storedRuns(), 2U);
}

// Without energies nothing can be decided, however long it takes.
TEST_F(PaysRunnerTest, EndsIfThereIsNoEnergy)
{
    m_power.kind = "none";
    PaysSpec wanted = spec();
    for (const char* kind : {"none", "auto"}) { // no sensor works: said before the first run
        wanted.a.run.power.kind = wanted.b.run.power.kind = kind;
        EXPECT_EQ(run(wanted).error->code, ErrorCode::InvalidInput) << kind;
    }
    EXPECT_EQ(storedRuns(), 0U);
    wanted.a.run.power.kind = wanted.b.run.power.kind = "rapl"; // this sensor delivers nothing
    const PaysResult result = run(wanted);
    ASSERT_TRUE(result.error);
    EXPECT_THAT(result.error->message, HasSubstr("choose another power source"));
    EXPECT_EQ(storedRuns(), 2U);
}

TEST_F(PaysRunnerTest, EndsWithTheFirstFailure)
{
    PaysSpec wanted = spec();
    wanted.b = side("missing");
    const PaysResult result = run(wanted);
    ASSERT_TRUE(result.error);
    EXPECT_THAT(result.error->message, HasSubstr("There is no model missing."));
    EXPECT_LE(storedRuns(), 1U);
}

TEST_F(PaysRunnerTest, StopsWhenTheTimeIsOver)
{
    PaysSpec wanted = spec();
    wanted.b = side("tiny");
    wanted.test.smallest_difference = 0.001;
    wanted.most_minutes = 1e-9;
    const PaysResult result = run(wanted);
    EXPECT_FALSE(result.error);
    EXPECT_EQ(result.decision.test.pairs, 0);
}

} // namespace

// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include "ep/model/analytic.h"
#include "ep/model/describe.h"
#include "ep/session/predict.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <random>

namespace {

using namespace ep;
using namespace ep::session;
using testing::Contains;
using testing::HasSubstr;

// A machine with known costs per byte, per FLOP and per pass.
struct Machine {
    double per_byte = 2e-9;
    double per_flop = 5e-10;
    double per_pass = 1e-3;
    double watts = 20.0;
};

// Gives the same numbers with every standard library.
double normalDraw(std::mt19937& random)
{
    double sum = -6.0;
    for (int i = 0; i < 12; ++i)
        sum += static_cast<double>(random() >> 5) / 134217728.0;
    return sum;
}

class PredictTest : public testing::Test {
protected:
    PredictTest()
    {
        test::writeTinyModel(m_folder / "small");
        test::TinyModel large;
        large.hidden_size = 128;
        large.intermediate_size = 512;
        large.layers = 6;
        test::writeTinyModel(m_folder / "large", large);
    }

    double seconds(const std::string& model, std::int64_t rows, std::int64_t context,
                   std::int64_t passes, std::int64_t batch = 1) const
    {
        const auto described = model::describeModel(m_folder / model.c_str());
        EXPECT_TRUE(described);
        const auto sizes = model::numberSizes(model::DType::F32, described->stored, false);
        const model::Cost cost =
            model::passCost(described->config, {.batch = batch, .rows = rows, .context = context},
                            sizes)
                .total();
        return static_cast<double>(passes)
            * (cost.bytes() * m_machine.per_byte + cost.flops * m_machine.per_flop
               + m_machine.per_pass);
    }

    RunSummary run(const std::string& model, int input, int output, double factor = 1.0) const
    {
        RunSummary run;
        run.info.status = RunStatus::Complete;
        run.info.device = "cpu";
        run.info.dtype = "f32";
        run.info.input_tokens = input;
        run.info.output_tokens = output;
        run.info.model.name = model;
        run.info.model.path = (m_folder / model.c_str()).string();
        run.info.power.source = "rapl";
        const double prefill = factor * seconds(model, input, 0, 1);
        const int steps = output - 1;
        const double decode = factor * seconds(model, 1, input + steps / 2, steps);
        run.metrics.time_to_first_token_ns = static_cast<Nanoseconds>(prefill * 1e9);
        run.metrics.tokens_per_second = steps / decode;
        run.metrics.joules_per_input_token = prefill * m_machine.watts / input;
        run.metrics.joules_per_output_token = decode * m_machine.watts / steps;
        return run;
    }

    PredictionRequest asked(const std::string& model, int input, int output) const
    {
        return {.model = m_folder / model.c_str(),
                .device = "cpu",
                .dtype = "f32",
                .input_tokens = input,
                .output_tokens = output};
    }

    test::TempFolder m_folder;
    Machine m_machine;
};

TEST_F(PredictTest, FindsTheCostsOfAMachineThatHasSuch)
{
    const std::vector<RunSummary> runs = {run("large", 8, 32), run("large", 100, 16),
                                          run("large", 20, 40), run("large", 150, 8)};
    const auto predicted = predict(asked("large", 60, 50), runs);
    ASSERT_TRUE(predicted) << predicted.error().message;
    const double prefill = seconds("large", 60, 0, 1);
    const double decode = seconds("large", 1, 60 + 24, 49);
    EXPECT_NEAR(predicted->seconds.prefill / prefill, 1.0, 0.02);
    EXPECT_NEAR(predicted->seconds.decode / decode, 1.0, 0.02);
    ASSERT_TRUE(predicted->joules);
    EXPECT_NEAR(predicted->joules->total() / (m_machine.watts * (prefill + decode)), 1.0, 0.02);
    EXPECT_EQ(predicted->source, "rapl");
    EXPECT_EQ(predicted->seconds.runs, 4);
    ASSERT_TRUE(predicted->seconds.median_error);
    EXPECT_LT(*predicted->seconds.largest_error, 0.05);
    EXPECT_TRUE(predicted->cautions.empty());
}

// The costs of other models, however often they ran, do not affect a prediction.
TEST_F(PredictTest, UsesRunsOfThisModelOnly)
{
    std::vector<RunSummary> runs = {run("small", 8, 32), run("small", 100, 16),
                                    run("small", 20, 40)};
    const auto alone = predict(asked("small", 60, 50), runs);
    ASSERT_TRUE(alone);
    EXPECT_THAT(alone->models, testing::ElementsAre("small"));
    for (int i = 0; i < 20; ++i)
        runs.push_back(run("large", 10 + i, 20, 5.0));
    const auto beside = predict(asked("small", 60, 50), runs);
    ASSERT_TRUE(beside);
    EXPECT_EQ(beside->seconds.total(), alone->seconds.total());
    EXPECT_EQ(beside->seconds.runs, 3);
    const auto other = predict(asked("large", 60, 50), {runs.begin(), runs.begin() + 3});
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message, HasSubstr("no complete run of large"));
}

TEST_F(PredictTest, LeavesOutRunsBesideOtherPrograms)
{
    std::vector<RunSummary> runs = {run("small", 8, 32), run("small", 100, 16),
                                    run("small", 20, 40)};
    const auto alone = predict(asked("small", 60, 50), runs);
    ASSERT_TRUE(alone);
    for (RunSummary disturbed : std::vector(runs)) {
        disturbed.metrics.tokens_per_second = *disturbed.metrics.tokens_per_second / 3.0;
        disturbed.info.power.quality.emplace().other_cpu_share = 0.5;
        runs.push_back(disturbed);
    }
    const auto beside = predict(asked("small", 60, 50), runs);
    ASSERT_TRUE(beside);
    EXPECT_EQ(beside->seconds.total(), alone->seconds.total());
    const auto none = predict(asked("small", 60, 50), {runs.begin() + 3, runs.end()});
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("more than 20.0 % of the processor in 3 of them"));
}

TEST_F(PredictTest, SaysNothingBeyondAFactorOfTwo)
{
    const std::vector<RunSummary> close = {run("small", 8, 32, 0.9), run("small", 100, 16, 1.1),
                                           run("small", 20, 40, 0.95), run("small", 50, 60, 1.05)};
    const auto predicted = predict(asked("small", 60, 50), close);
    ASSERT_TRUE(predicted) << predicted.error().message;
    EXPECT_GE(*predicted->seconds.low, predicted->seconds.total() / 2.0);
    EXPECT_LE(*predicted->seconds.high, predicted->seconds.total() * 2.0);
    const std::vector<RunSummary> apart = {run("small", 8, 32, 0.4), run("small", 100, 16, 2.0),
                                           run("small", 20, 40, 0.5), run("small", 50, 60, 1.8)};
    const auto none = predict(asked("small", 60, 50), apart);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("within a factor of two"));
}

// Repeats of one setting predict the next one, and nothing else.
TEST_F(PredictTest, RepeatsPredictTheirOwnShape)
{
    std::vector<RunSummary> runs;
    for (const double factor : {0.97, 1.0, 1.03, 0.99, 1.01}) {
        runs.push_back(run("small", 40, 30, factor));
        runs.back().info.id = std::to_string(factor);
    }
    const auto same = predict(asked("small", 40, 30), runs);
    ASSERT_TRUE(same) << same.error().message;
    EXPECT_LT(*same->seconds.high, 1.2 * same->seconds.total());
    EXPECT_FALSE(predict(asked("small", 400, 30), runs));
}

// A machine on which each shape of a model is another 5 % faster or slower than its bytes and FLOPs
// say, and each run another 2 %.
TEST_F(PredictTest, ItsIntervalsHold)
{
    std::mt19937 random(5);
    const auto drawn = [&](double sd) { return std::exp(sd * normalDraw(random)); };
    const auto length = [&] { return static_cast<int>(8 + random() % 120); };
    const char* wanted = std::getenv("EP_TRIALS"); // docs/accuracy.md uses more
    const int trials = wanted != nullptr ? std::atoi(wanted) : 100;
    int held = 0;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<RunSummary> runs;
        const double factor = drawn(0.15);
        for (int shape = 0; shape < 8; ++shape) {
            const int in = length();
            const int out = length();
            const double ofShape = factor * drawn(0.05);
            for (int repeat = 0; repeat <= shape % 3; ++repeat)
                runs.push_back(run("large", in, out, ofShape * drawn(0.02)));
        }
        const int input = length();
        const int output = length();
        const auto predicted = predict(asked("large", input, output), runs);
        ASSERT_TRUE(predicted) << predicted.error().message;
        const auto truth = run("large", input, output, factor * drawn(0.05) * drawn(0.02));
        const double seconds = toSeconds(*truth.metrics.time_to_first_token_ns)
            + (output - 1) / *truth.metrics.tokens_per_second;
        const auto& figure = predicted->seconds;
        held += *figure.low <= seconds && seconds <= *figure.high ? 1 : 0;
    }
    RecordProperty("held", held);
    EXPECT_GE(held, static_cast<int>(0.92 * trials));
    EXPECT_LE(held, static_cast<int>(0.99 * trials));
}

TEST_F(PredictTest, RefusesWithoutRuns)
{
    const auto none = predict(asked("small", 8, 8), {});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(none.error().message, HasSubstr("no complete run of small on cpu in f32"));
    EXPECT_FALSE(predict(asked("small", 8, 8), {run("small", 8, 8)})) << "one is too few";
    RunSummary other = run("small", 8, 8);
    other.info.dtype = "bf16";
    EXPECT_FALSE(predict(asked("small", 8, 8), {other, other, other}));
}

TEST_F(PredictTest, SaysWhatItRestsOn)
{
    std::vector<RunSummary> runs = {run("small", 8, 32), run("small", 50, 16),
                                    run("small", 20, 40)};
    for (RunSummary& one : runs) {
        one.metrics.joules_per_input_token.reset();
        one.metrics.joules_per_output_token.reset();
    }
    const auto predicted = predict(asked("small", 50'000, 50'000), runs);
    ASSERT_TRUE(predicted) << predicted.error().message;
    EXPECT_FALSE(predicted->joules);
    EXPECT_THAT(predicted->joules_problem, HasSubstr("no power source"));
    EXPECT_THAT(predicted->cautions, Contains(HasSubstr("twice the longest")));
    EXPECT_THAT(predicted->cautions, Contains(HasSubstr("context ends after")));
}

TEST_F(PredictTest, DoesNotMixSources)
{
    std::vector<RunSummary> runs;
    const auto modelled = [this](int input, int output) {
        RunSummary one = run("small", input, output);
        one.info.power.source = "modelled";
        *one.metrics.joules_per_input_token *= 3.0;
        *one.metrics.joules_per_output_token *= 3.0;
        return one;
    };
    for (int i = 0; i < 4; ++i) {
        runs.push_back(run("small", 10 + 30 * i, 20 + i));
        runs.push_back(modelled(10 + 30 * i, 20 + i));
        runs.push_back(modelled(12 + 30 * i, 20 + i));
    }
    const auto predicted = predict(asked("small", 60, 20), runs);
    ASSERT_TRUE(predicted) << predicted.error().message;
    EXPECT_EQ(predicted->source, "rapl") << "measured before modelled, even with fewer runs";
    EXPECT_FALSE(predicted->modelled);
    EXPECT_EQ(predicted->joules->runs, 4);
}

} // namespace

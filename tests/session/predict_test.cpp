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
    const std::vector<RunSummary> runs = {run("small", 8, 32), run("small", 100, 16),
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

TEST_F(PredictTest, TellsItsErrorWhereTheRunsDisagree)
{
    const std::vector<RunSummary> runs = {run("small", 8, 32, 0.7), run("small", 100, 16, 1.3),
                                          run("small", 20, 40, 0.8), run("small", 50, 60, 1.2)};
    const auto predicted = predict(asked("small", 60, 50), runs);
    ASSERT_TRUE(predicted);
    ASSERT_TRUE(predicted->seconds.largest_error);
    EXPECT_GT(*predicted->seconds.largest_error, 0.1);
}

// Machines on which each model is 15 % faster or slower than its bytes and FLOPs say, and each run
// another 3 %: how often the interval contains the time of a model that was not run, and of
// another shape of the only model that was.
TEST_F(PredictTest, ItsIntervalsHold)
{
    constexpr int kModels = 9; // the last one is to be predicted
    std::vector<std::string> models;
    for (int i = 0; i < kModels; ++i) {
        test::TinyModel model;
        model.hidden_size = 32 << (i % 3);
        model.intermediate_size = model.hidden_size * (2 + i % 2);
        model.layers = 2 + (i * 5) % 7;
        models.push_back("model" + std::to_string(i));
        test::writeTinyModel(m_folder / models.back().c_str(), model);
    }
    std::mt19937 random(5);
    const auto drawn = [&](double sd) { return std::exp(sd * normalDraw(random)); };
    const auto length = [&] { return static_cast<int>(8 + random() % 120); };
    const char* wanted = std::getenv("EP_TRIALS"); // docs/accuracy.md uses more
    const int trials = wanted != nullptr ? std::atoi(wanted) : 100;
    int another = 0;
    int same = 0;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<RunSummary> runs;
        for (int i = 0; i + 1 < kModels; ++i) {
            const double factor = drawn(0.15);
            const int input = length();
            const int output = length();
            for (int repeat = 0; repeat <= i % 4; ++repeat)
                runs.push_back(
                    run(models[static_cast<std::size_t>(i)], input, output, factor * drawn(0.03)));
        }
        const int input = length();
        const int output = length();
        const auto holds = [&](const std::vector<RunSummary>& from, double factor) {
            const auto predicted = predict(asked(models.back(), input, output), from);
            EXPECT_TRUE(predicted);
            const auto truth = run(models.back(), input, output, factor);
            const double seconds = toSeconds(*truth.metrics.time_to_first_token_ns)
                + (output - 1) / *truth.metrics.tokens_per_second;
            const auto& figure = predicted->seconds;
            return figure.low && *figure.low <= seconds && seconds <= *figure.high;
        };
        another += holds(runs, drawn(0.15) * drawn(0.03)) ? 1 : 0;
        std::vector<RunSummary> own;
        const double factor = drawn(0.15);
        for (int shape = 0; shape < 8; ++shape) {
            const int in = length();
            const int out = length();
            const double ofShape = factor * drawn(0.05);
            for (int repeat = 0; repeat <= shape % 3; ++repeat)
                own.push_back(run(models.back(), in, out, ofShape * drawn(0.02)));
        }
        same += holds(own, factor * drawn(0.05) * drawn(0.02)) ? 1 : 0;
    }
    RecordProperty("another_model", another);
    RecordProperty("same_model", same);
    for (const int held : {another, same}) {
        EXPECT_GE(held, static_cast<int>(0.92 * trials));
        EXPECT_LE(held, static_cast<int>(0.98 * trials));
    }
}

TEST_F(PredictTest, RefusesWithoutRuns)
{
    const auto none = predict(asked("small", 8, 8), {});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(none.error().message, HasSubstr("no complete run on cpu in f32"));
    EXPECT_FALSE(predict(asked("small", 8, 8), {run("small", 8, 8)})) << "one is too few";
    RunSummary other = run("small", 8, 8);
    other.info.dtype = "bf16";
    EXPECT_FALSE(predict(asked("small", 8, 8), {other, other, other}));
    RunSummary lost = run("small", 8, 8);
    lost.info.model.path = "/nowhere";
    const auto gone = predict(asked("small", 8, 8), {lost, lost});
    ASSERT_FALSE(gone);
    EXPECT_THAT(gone.error().message, HasSubstr("gone"));
}

TEST_F(PredictTest, SaysWhatItRestsOn)
{
    std::vector<RunSummary> runs = {run("small", 8, 32), run("small", 50, 16)};
    for (RunSummary& one : runs) {
        one.metrics.joules_per_input_token.reset();
        one.metrics.joules_per_output_token.reset();
    }
    const auto predicted = predict(asked("large", 500, 500), runs);
    ASSERT_TRUE(predicted);
    EXPECT_FALSE(predicted->joules);
    EXPECT_THAT(predicted->joules_problem, HasSubstr("no power source"));
    EXPECT_FALSE(predicted->seconds.median_error);
    EXPECT_THAT(predicted->cautions, Contains(HasSubstr("No run of this model")));
    EXPECT_THAT(predicted->cautions, Contains(HasSubstr("twice the longest")));
    EXPECT_THAT(predicted->cautions, Contains(HasSubstr("Only two runs")));
}

TEST_F(PredictTest, DoesNotMixSources)
{
    std::vector<RunSummary> runs;
    for (int i = 0; i < 4; ++i) {
        runs.push_back(run("small", 10 + 30 * i, 20 + i));
        runs.push_back(run("small", 10 + 30 * i, 20 + i, 3.0));
        runs.back().info.power.source = "modelled";
        runs.push_back(run("small", 12 + 30 * i, 20 + i, 3.0));
        runs.back().info.power.source = "modelled";
    }
    const auto predicted = predict(asked("small", 60, 20), runs);
    ASSERT_TRUE(predicted);
    EXPECT_EQ(predicted->source, "rapl") << "measured before modelled, even with fewer runs";
    EXPECT_FALSE(predicted->modelled);
    EXPECT_EQ(predicted->joules->runs, 4);
}

} // namespace

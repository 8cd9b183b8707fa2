// SPDX-License-Identifier: GPL-3.0-or-later
// energy-profiler run, from the command line to the sums in its JSON.
#include "app/cli_fixture.h"
#include "support/json_schema.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <iterator>
#include <signal.h>

namespace {

using ep::test::CliTest;
using ep::test::Outcome;
using ep::test::schemaProblem;
using nlohmann::json;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// |parent - (children + remainder)| relative to the parent.
void expectClosed(double parent, double children, const json& remainder, const char* what)
{
    ASSERT_TRUE(remainder.is_number()) << what;
    const double sum = children + remainder.get<double>();
    EXPECT_LE(std::abs(parent - sum), 1e-6 * std::abs(parent)) << what;
}

double sumOf(const json& parts, const json::json_pointer& value)
{
    double sum = 0.0;
    for (const json& part : parts)
        sum += part.at(value).get<double>();
    return sum;
}

// Checks the sums of both trees, in time or in energy.
void expectTreesClose(const json& run, const std::string& node, const std::string& leaf,
                      const std::string& rest)
{
    const json::json_pointer nodeValue(node);
    const json::json_pointer leafValue(leaf);
    const json::json_pointer restValue("/remainder" + rest);
    expectClosed(run.at(nodeValue).get<double>(), sumOf(run.at("phases"), nodeValue),
                 run.at(restValue), "phases");
    for (const json& token : run.at("tokens")) {
        const double children =
            sumOf(token.at("sections"), nodeValue) + sumOf(token.at("layers"), leafValue);
        expectClosed(token.at(nodeValue).get<double>(), children, token.at(restValue), "token");
        for (const json& layer : token.at("layers")) {
            expectClosed(layer.at(leafValue).get<double>(),
                         sumOf(layer.at("components"), leafValue), layer.at(restValue), "layer");
        }
    }
}

void expectTimesClose(const json& run)
{
    expectTreesClose(run, "/duration_ns", "/duration_ns", "/duration_ns");
}

void expectEnergiesClose(const json& run)
{
    ASSERT_TRUE(run.at("energy").at("total_mj").is_number());
    expectTreesClose(run, "/energy/total_mj", "/energy_mj", "/energy_mj");
}

class RunCommandTest : public CliTest {
protected:
    // The only run in a JSON text, checked against the schema.
    json parsed(const std::string& text)
    {
        EXPECT_EQ(schemaProblem(text, "run.schema.json"), "");
        return json::parse(text).at("run");
    }

    json profiled(const std::vector<std::string>& more)
    {
        const Outcome outcome = profile(more);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return parsed(outcome.out);
    }

    void useFakePowermetrics()
    {
        setEnvironment("EP_POWERMETRICS", EP_FAKE_POWERMETRICS_PROGRAM);
        setEnvironment("EP_SUDO", EP_FAKE_SUDO_PROGRAM);
    }
};

TEST_F(RunCommandTest, ModelledPowerAddsUp)
{
    const Outcome outcome = profile({"--power", "modelled", "--interval-ms", "20",
                                     "--max-new-tokens", "64", "--json", "--full"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const json run = parsed(outcome.out);
    EXPECT_EQ(run.at("info").at("status"), "complete");
    EXPECT_THAT(run.at("tokens"), SizeIs(64));
    EXPECT_EQ(run.at("energy").at("provenance"), "modelled");
    expectTimesClose(run);
    expectEnergiesClose(run);
    EXPECT_THAT(storedIds(), SizeIs(1));
}

// Depth `deep`: the same text, operations with their figures, and exact sums down to them.
TEST_F(RunCommandTest, DeepRunsCloseDownToTheOperation)
{
    const Outcome plain =
        profile({"--power", "none", "--depth", "deep", "--no-twin", "--json", "--full"});
    EXPECT_FALSE(parsed(plain.out).at("profiling").contains("twin"));
    const json run = profiled({"--power", "none", "--depth", "deep", "--statistics-every", "1",
                               "--twin", "--json", "--full"});
    EXPECT_EQ(run.at("info").at("response"), parsed(plain.out).at("info").at("response"));
    EXPECT_THAT(run.at("info").at("execution").at("attention").get<std::string>(),
                HasSubstr("decomposed"));
    expectTimesClose(run);
    int softmaxes = 0;
    for (const json& token : run.at("tokens")) {
        for (const json& layer : token.at("layers")) {
            for (const json& component : layer.at("components")) {
                std::int64_t rest = component.at("duration_ns");
                for (const json& operation : component.at("operations")) {
                    rest -= operation.at("duration_ns").get<std::int64_t>();
                    if (operation.at("operation") != "softmax")
                        continue;
                    ++softmaxes;
                    EXPECT_THAT(operation.at("extras").at("attention_entropy_heads"), SizeIs(4));
                }
                EXPECT_EQ(component.at("remainder").at("duration_ns"), rest);
                EXPECT_GE(rest, 0);
            }
        }
    }
    EXPECT_EQ(softmaxes, 2 * 8);
    const json& twin = run.at("profiling").at("twin");
    EXPECT_EQ(twin.at("different_tokens"), 0);
    EXPECT_EQ(twin.at("tokens"), 8);

    const Outcome shown = this->run({"runs", "show", storedIds().front(), "--parts"});
    ASSERT_EQ(shown.status, 0) << shown.err;
    for (const char* word : {"qk_matmul", "value_matmul", "gate_multiply", "entropy",
                             "between parts", "profiler", "twin", "the same 8 tokens"})
        EXPECT_THAT(shown.out, HasSubstr(word));
}

TEST_F(RunCommandTest, PowermetricsAddsUp)
{
    useFakePowermetrics();
    // Long enough for several sensor windows, even on a fast machine.
    const json run = profiled({"--power", "powermetrics", "--interval-ms", "20", "--max-new-tokens",
                               "2000", "--json", "--full"});
    EXPECT_EQ(run.at("power").at("source"), "powermetrics");
    EXPECT_THAT(run.at("energy").at("provenance"), AnyOf("measured", "attributed"));
    EXPECT_TRUE(run.at("energy").at("rails").at("dram").is_null());
    expectTimesClose(run);
    expectEnergiesClose(run);
}

TEST_F(RunCommandTest, AReplayedCaptureAddsUp)
{
    useFakePowermetrics();
    QProcess recorder;
    const QString capture = QString::fromStdString((folder() / "capture.plist").string());
    recorder.setStandardOutputFile(capture);
    recorder.start(QStringLiteral(EP_FAKE_POWERMETRICS_PROGRAM),
                   {QStringLiteral("-i"), QStringLiteral("50"), QStringLiteral("-n"),
                    QStringLiteral("40"), QStringLiteral("-f"), QStringLiteral("plist"),
                    QStringLiteral("-s"), QStringLiteral("cpu_power,gpu_power")});
    ASSERT_TRUE(recorder.waitForFinished(60'000));

    // Long enough to fill most of its window even on a busy machine: a pulse inside one window is
    // refused.
    const json run = profiled(
        {"--power", "replay:capture.plist", "--max-new-tokens", "240", "--json", "--full"});
    EXPECT_EQ(run.at("power").at("source"), "replay");
    expectTimesClose(run);
    expectEnergiesClose(run);
}

TEST_F(RunCommandTest, WithoutPowerEveryEnergyIsNull)
{
    const json run = profiled({"--power", "none", "--json", "--full"});
    EXPECT_TRUE(run.at("energy").at("total_mj").is_null());
    EXPECT_EQ(run.at("energy").at("provenance"), "missing");
    EXPECT_TRUE(run.at("metrics").at("joules_per_token").is_null());
    for (const json& token : run.at("tokens"))
        EXPECT_TRUE(token.at("energy").at("total_mj").is_null());
    expectTimesClose(run);
}

TEST_F(RunCommandTest, PowermetricsThatDiesLeavesTheRunGoing)
{
    useFakePowermetrics();
    setEnvironment("EP_FAKE_POWERMETRICS", "die=3");
    const json run = profiled({"--power", "powermetrics", "--interval-ms", "20", "--max-new-tokens",
                               "400", "--json", "--full"});
    EXPECT_EQ(run.at("info").at("status"), "complete");
    EXPECT_THAT(run.at("tokens"), SizeIs(400));
    EXPECT_NE(run.at("info").at("power").at("notice"), "");
}

TEST_F(RunCommandTest, TextForPeopleHasTheResponseAndTheFigures)
{
    const Outcome outcome = profile({"--power", "modelled:1,10", "--interval-ms", "20"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr("Once upon"));
    for (const char* word :
         {"prefill", "decode", "odelled", "tokens/s", "per output token", "saved"})
        EXPECT_THAT(outcome.out, HasSubstr(word));
}

TEST_F(RunCommandTest, MissingEnergyIsADash)
{
    const Outcome outcome = profile({"--power", "none", "--no-save"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("\u2014"));
    EXPECT_THAT(outcome.out, HasSubstr("doctor"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("0 mJ")));
    EXPECT_FALSE(std::filesystem::exists(database()));
}

TEST_F(RunCommandTest, OptionsArriveInTheRun)
{
    const json run =
        profiled({"--power", "none",    "--depth",      "none",  "--temperature", "0.7",
                  "--top-k", "20",      "--top-p",      "0.9",   "--seed",        "42",
                  "--tag",   "one,two", "--experiment", "trial", "--threads",     "1",
                  "--dtype", "f32",     "--device",     "cpu",   "--json",        "--full"});
    const json& info = run.at("info");
    EXPECT_EQ(info.at("depth"), "none");
    EXPECT_EQ(info.at("tags"), json({"one", "two"}));
    EXPECT_EQ(info.at("experiment"), "trial");
    EXPECT_EQ(info.at("sampling").at("temperature"), 0.7);
    EXPECT_EQ(info.at("sampling").at("top_k"), 20);
    EXPECT_EQ(info.at("sampling").at("top_p"), 0.9);
    EXPECT_EQ(info.at("sampling").at("seed"), 42);
    EXPECT_EQ(info.at("device"), "cpu");
    EXPECT_EQ(info.at("environment").at("threads"), 1);
    for (const json& token : run.at("tokens"))
        EXPECT_TRUE(token.at("layers").empty());
}

TEST_F(RunCommandTest, ThePromptMayComeFromAFileOrStandardInput)
{
    std::ofstream(folder() / "prompt.txt") << "Once upon";
    const std::vector<std::string> rest = {"--model", model().string(),   "--power",
                                           "none",    "--no-save",        "--json",
                                           "--full",  "--max-new-tokens", "4"};
    std::vector<std::string> fromFile = {"run", "--prompt-file", "prompt.txt"};
    fromFile.insert(fromFile.end(), rest.begin(), rest.end());
    std::vector<std::string> fromInput = {"run", "--prompt-file", "-"};
    fromInput.insert(fromInput.end(), rest.begin(), rest.end());
    const Outcome file = run(fromFile);
    const Outcome input = run(fromInput, "Once upon");
    ASSERT_EQ(file.status, 0) << file.err;
    ASSERT_EQ(input.status, 0) << input.err;
    EXPECT_EQ(parsed(file.out).at("info").at("prompt"), "Once upon");
    EXPECT_EQ(parsed(input.out).at("info").at("prompt"), "Once upon");
    EXPECT_EQ(parsed(input.out).at("info").at("response"),
              parsed(file.out).at("info").at("response"));
}

TEST_F(RunCommandTest, RepeatingGivesAnArray)
{
    const Outcome outcome = profile({"--power", "none", "--repeat", "3", "--json", "--full"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json runs = json::parse(outcome.out);
    ASSERT_TRUE(runs.is_array());
    ASSERT_THAT(runs, SizeIs(3));
    for (const json& run : runs)
        EXPECT_EQ(schemaProblem(run.dump(), "run.schema.json"), "");
    EXPECT_EQ(runs[0].at("run").at("info").at("response"),
              runs[2].at("run").at("info").at("response"));
    EXPECT_THAT(storedIds(), SizeIs(3));
}

TEST_F(RunCommandTest, UntilKnownMakesNoRunWithoutEnergies)
{
    const Outcome outcome = profile({"--power", "none", "--until", "2%"});
    ASSERT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("choose another power source than none"));
    EXPECT_THAT(storedIds(), SizeIs(0));
}

TEST_F(RunCommandTest, UntilKnownSaysHowWellAfterTheLastRun)
{
    const Outcome outcome =
        profile({"--power", "modelled", "--interval-ms", "20", "--baseline-seconds", "0.2",
                 "--until", "0.1%", "--at-most-runs", "5"});
    ASSERT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("over 5 runs; not yet ± 0.1 %."));
    EXPECT_THAT(storedIds(), SizeIs(5));
}

TEST_F(RunCommandTest, WarmUpAndBaselineLeaveTheRunItself)
{
    const json run = profiled({"--power", "modelled", "--interval-ms", "20", "--warmup", "3",
                               "--baseline-seconds", "0.2", "--json", "--full"});
    EXPECT_THAT(run.at("tokens"), SizeIs(8));
    ASSERT_THAT(run.at("idle"), SizeIs(1));
    EXPECT_GE(run.at("idle")[0].at("duration_ms").get<double>(), 200.0);
}

TEST_F(RunCommandTest, JsonIntoAFileLeavesStandardOutputToPeople)
{
    const Outcome outcome = profile({"--power", "none", "--json-file", "run.json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("Once upon"));
    std::ifstream file(folder() / "run.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(parsed(text).at("tokens"), SizeIs(8));
    EXPECT_FALSE(std::filesystem::exists(folder() / "run.json.part"));
}

TEST_F(RunCommandTest, KeepsOnlyHashesWhereAsked)
{
    const std::string file = (folder() / "run.json").string();
    const Outcome made =
        run({"run", "--model", model().string(), "--prompt", "sesame opens", "--prompt",
             "sesame shuts", "--max-new-tokens", "3", "--power", "none", "--stop", "sesame end",
             "--hashes-only", "--json-file", file});
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("sesame opens")) << "the screen still shows what is said";
    EXPECT_THAT(filesWith("sesame"), testing::IsEmpty());
    const Outcome stored = run({"runs", "show", storedIds().front(), "--json", "--full"});
    ASSERT_EQ(stored.status, 0) << stored.err;
    EXPECT_THAT(stored.out, HasSubstr("sha256:"));

    const Outcome plain = profile({"--power", "none"});
    ASSERT_EQ(plain.status, 0) << plain.err;
    EXPECT_THAT(filesWith("Once upon"), testing::Not(testing::IsEmpty()))
        << "or the search above finds nothing anyway";
}

// The rule and the sentence are the same with and without the option, here and in the commands
// below.
TEST_F(RunCommandTest, WithoutASensorEnergiesAreModelledOnlyOnRequest)
{
    for (const std::vector<std::string>& power :
         {std::vector<std::string>(), {"--power", "auto"}}) {
        std::vector<std::string> options{"--interval-ms", "20", "--no-save", "--json", "--full"};
        options.insert(options.end(), power.begin(), power.end());
        const Outcome outcome = profile(options);
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        const std::string source = json::parse(outcome.out).at("run").at("power").at("source");
        EXPECT_NE(source, "modelled");
        const bool said =
            outcome.err.find("No power sensor works on this machine") != std::string::npos;
        EXPECT_EQ(said, source == "none") << outcome.err;
    }
}

TEST_F(RunCommandTest, ASourceThatWasAskedForIsNotReplaced)
{
    const Outcome outcome = profile({"--power", "none", "--no-save", "--json", "--full"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(json::parse(outcome.out).at("run").at("power").at("source"), "none");
    EXPECT_EQ(outcome.err.find("No power sensor works"), std::string::npos);
}

// What remains of a run that is interrupted or killed.

class InterruptedRunTest : public CliTest {
protected:
    static json parsed(const std::string& text) { return json::parse(text).at("run"); }

    void beginLongRun(QProcess& process)
    {
        start(process,
              {"run", "--model", model().string(), "--prompt", "Once upon", "--max-new-tokens",
               "60000", "--power", "none"});
        // The prompt is printed when the run begins; a few tokens follow.
        while (process.bytesAvailable() < 40)
            ASSERT_TRUE(process.waitForReadyRead(300'000));
    }
};

TEST_F(InterruptedRunTest, ControlCStoresThePartialRun)
{
    QProcess process;
    beginLongRun(process);
    ASSERT_EQ(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    ASSERT_TRUE(process.waitForFinished(300'000));
    EXPECT_EQ(process.exitStatus(), QProcess::NormalExit);
    EXPECT_EQ(process.exitCode(), 130);
    const std::string err = process.readAllStandardError().toStdString();
    EXPECT_THAT(err, HasSubstr("Cancelled after"));
    const auto ids = storedIds();
    ASSERT_THAT(ids, SizeIs(1));
    EXPECT_THAT(err, HasSubstr(ids[0].substr(0, 8)));
    const Outcome shown = run({"runs", "show", ids[0], "--json", "--full"});
    const json stored = parsed(shown.out);
    EXPECT_EQ(stored.at("info").at("status"), "cancelled");
    EXPECT_GT(stored.at("tokens").size(), 0U);
}

TEST_F(InterruptedRunTest, KilledInTheMiddleIsListedAsInterrupted)
{
    ASSERT_EQ(profile({"--power", "none"}).status, 0);
    QProcess process;
    beginLongRun(process);
    // Tokens are committed at intervals, which a busy machine extends.
    const auto tokens = [this] {
        const Outcome shown = run({"runs", "show", "last", "--json", "--full"});
        const json info = parsed(shown.out);
        return info.at("info").at("status") == "complete" ? 0U : info.at("tokens").size();
    };
    while (process.state() == QProcess::Running && tokens() == 0)
        process.waitForFinished(100);
    ASSERT_EQ(process.state(), QProcess::Running);
    process.kill();
    ASSERT_TRUE(process.waitForFinished());

    const Outcome listed = run({"runs", "list", "--json"});
    ASSERT_EQ(listed.status, 0) << listed.err;
    const json runs = json::parse(listed.out).at("runs");
    ASSERT_THAT(runs, SizeIs(2));
    EXPECT_EQ(runs[0].at("info").at("status"), "interrupted");
    EXPECT_EQ(runs[1].at("info").at("status"), "complete");
    const Outcome shown =
        run({"runs", "show", runs[0].at("info").at("id").get<std::string>(), "--json", "--full"});
    EXPECT_GT(parsed(shown.out).at("tokens").size(), 0U);
}

} // namespace

// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_test/groups.h"
#include "session/run_watcher.h"
#include "support/json_schema.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include "ep/model/kernel_check.h"
#include "ep/session/self_test.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace ep;
using session::CheckState;
using session::SelfCheck;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// The machine that is tested.
struct TestedMachine {
    bool held = true;
    bool naps = false;
    std::optional<Error> engine_error = {};
};

class FakeActivity final : public session::Activity {
public:
    explicit FakeActivity(const TestedMachine& machine)
        : m_machine(machine)
    {
    }
    bool held() const override { return m_machine.held; }
    bool mayNap() const override { return m_machine.naps; }
    std::string detail() const override { return "as the test has it"; }

private:
    TestedMachine m_machine;
};

class SelfTestTest : public testing::Test {
protected:
    SelfTestTest() { test::writeTinyModel(m_folder / "tiny"); }

    session::SelfTestReport reportOf(const TestedMachine& machine)
    {
        test::EngineScript engine;
        engine.open_error = machine.engine_error;
        session::Backend backend{
            .openEngineLibrary = [engine]() -> Result<std::shared_ptr<model::EngineLibrary>> {
                if (engine.open_error)
                    return *engine.open_error;
                return std::shared_ptr<model::EngineLibrary>(
                    std::make_shared<test::FakeEngineLibrary>(engine));
            },
            .makePowerFeed =
                [] {
                    return std::unique_ptr<session::PowerFeed>(
                        std::make_unique<test::FakePowerFeed>(test::PowerScript{}));
                },
            .beginActivity =
                [machine](const std::string&) { return std::make_unique<FakeActivity>(machine); }};
        return session::selfTest({.model = m_folder / "tiny",
                                  .program = program,
                                  .scratch = m_folder.path(),
                                  .load_seconds = 1.0},
                                 backend, cancel,
                                 [this](const SelfCheck& check) { found.push_back(check); });
    }
    static std::optional<SelfCheck> checkOf(const session::SelfTestReport& report,
                                            const std::string& group, const std::string& name = {})
    {
        for (const SelfCheck& check : report.checks) {
            if (check.group == group && (name.empty() || check.name == name))
                return check;
        }
        return std::nullopt;
    }

    test::TempFolder m_folder;
    std::filesystem::path program = "/usr/bin/energy-profiler";
    CancelToken cancel;
    std::vector<SelfCheck> found;
};

TEST_F(SelfTestTest, LooksAtEveryGroup)
{
    const auto report = reportOf({});
    EXPECT_EQ(report.checks, found);
    EXPECT_FALSE(report.cancelled);
    EXPECT_GT(report.seconds, 0.0);
    EXPECT_EQ(checkOf(report, "activity")->state, CheckState::Ok);
    EXPECT_EQ(checkOf(report, "kernels", "portable")->state, CheckState::Ok);
    EXPECT_EQ(checkOf(report, "clock")->state, CheckState::NotHere);
    EXPECT_EQ(checkOf(report, "bundle")->state, CheckState::NotHere);
    const auto database = checkOf(report, "database");
    EXPECT_EQ(database->state, CheckState::Ok) << database->detail;
    EXPECT_THAT(database->detail, StartsWith("12 runs written"));
    EXPECT_TRUE(checkOf(report, "power"));
    EXPECT_TRUE(checkOf(report, "devices"));
    // Nothing must be left behind.
    const std::filesystem::directory_iterator files(m_folder.path());
    EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(SelfTestTest, SaysWhatIsNotHereAndWhatFails)
{
    const auto nobody = reportOf({.held = false});
    EXPECT_EQ(checkOf(nobody, "activity")->state, CheckState::NotHere);
    const auto napping = reportOf({.held = false, .naps = true});
    const auto activity = checkOf(napping, "activity");
    EXPECT_EQ(activity->state, CheckState::Failed);
    EXPECT_THAT(activity->remedy, Not(IsEmpty()));
    EXPECT_GE(napping.failed(), 1);
    EXPECT_THAT(session::lineOf(*activity),
                StartsWith("failed    activity  keep awake: as the test has it; keep the window"));
}

TEST_F(SelfTestTest, WithoutAnEngineTheOthersAreStillTested)
{
    const auto report =
        reportOf({.engine_error = Error{ErrorCode::NotFound, "There is no engine here."}});
    EXPECT_EQ(checkOf(report, "devices", "engine")->state, CheckState::Failed);
    EXPECT_EQ(checkOf(report, "devices", "engine")->detail, "There is no engine here.");
    EXPECT_TRUE(checkOf(report, "database"));
}

TEST_F(SelfTestTest, ItsJsonIsValid)
{
    program = m_folder / "Broken.app/Contents/MacOS/energy-profiler";
    const auto report = reportOf({});
    EXPECT_EQ(checkOf(report, "bundle")->state, CheckState::Failed);
    EXPECT_EQ(test::schemaProblem(session::selfTestJson(report), "selftest.schema.json"), "");
}

TEST_F(SelfTestTest, CancellingEndsIt)
{
    cancel.cancel();
    const auto report = reportOf({});
    EXPECT_TRUE(report.cancelled);
    EXPECT_THAT(report.checks, IsEmpty());
}

// An engine with GPU kernels for weights, one of which is broken.
class EngineWithKernels final : public model::EngineLibrary {
public:
    model::EngineVersions versions() const override { return {}; }
    Result<std::unique_ptr<model::Engine>> load(const model::LoadRequest&, const ProgressFn&,
                                                CancelToken) override
    {
        return Error{ErrorCode::NotFound, "not here"};
    }
    std::vector<model::DeviceKernelCheck> checkDeviceKernels() override
    {
        return {{.device = "mps", .dtype = "q4_k", .operation = {}, .problem = {}},
                {.device = "mps", .dtype = "q6_k", .operation = {}, .problem = "it differs by 3 %"},
                {.device = "mps", .dtype = {}, .operation = "norms", .problem = {}},
                {.device = "mps", .dtype = {}, .operation = "gates", .problem = "a NaN"}};
    }
};

TEST(SelfTestMatmuls, NamesTheTypesThatAreDequantized)
{
    const session::SelfTestRequest request;
    const session::Backend backend;
    std::vector<SelfCheck> found;
    session::SelfTestContext context{
        .request = request,
        .backend = backend,
        .cancel = {},
        .report = [&](const SelfCheck& check) { found.push_back(check); },
        .engine = std::make_shared<EngineWithKernels>()};
    session::checkMatmuls(context);
    ASSERT_EQ(found.size(), 4U);
    EXPECT_EQ(session::lineOf(found[2]),
              "ok        products  mps norms: computed by a kernel of the program's own");
    EXPECT_THAT(
        session::lineOf(found[3]),
        StartsWith("failed    products  mps gates: computed by LibTorch's functions, because "
                   "the kernel cannot be used: a NaN; "));
    EXPECT_EQ(session::lineOf(found[0]),
              "ok        products  mps q4_k: weights are multiplied as they are stored");
    EXPECT_THAT(session::lineOf(found[1]),
                StartsWith("failed    products  mps q6_k: weights are dequantized before each "
                           "matmul, because the kernels cannot be used: it differs by 3 %; "));
    found.clear();
    context.engine = std::make_shared<test::FakeEngineLibrary>(test::EngineScript{});
    session::checkMatmuls(context);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().state, CheckState::NotHere);
}

TEST(KernelCheck, EveryTableAgrees)
{
    const auto tables = model::checkKernelTables();
    ASSERT_FALSE(tables.empty());
    int used = 0;
    for (const model::KernelTableCheck& table : tables) {
        EXPECT_TRUE(table.agrees) << table.table << ' ' << table.kernel << ' '
                                  << table.largest_difference;
        EXPECT_LT(table.largest_difference, 1e-4) << table.table;
        used += table.used ? 1 : 0;
    }
    EXPECT_EQ(used, 1);
}

// A source that does not follow the load is only to blame if the machine was otherwise idle.
TEST(SelfTestPower, AsksForAnIdleMachine)
{
    const session::SelfTestRequest request;
    const session::Backend backend;
    session::SensorCheck sensor;
    sensor.report.kind = "rapl";
    sensor.report.available = true;
    sensor.report.rails = {Rail::Cpu};
    sensor.quality.emplace();
    sensor.idle_mw = Milliwatts{20'000.0};
    const struct {
        double load_mw;
        std::optional<double> others;
        CheckState state;
        const char* words;
    } kCases[] = {
        {40'000.0, 0.9, CheckState::Ok, "load 40"},
        {20'100.0, 0.05, CheckState::Failed, "does not react"},
        {20'100.0, std::nullopt, CheckState::Failed, "does not react"},
        {20'100.0, 0.7, CheckState::NotHere, "other programs used 70"},
    };
    for (const auto& c : kCases) {
        std::vector<SelfCheck> found;
        const session::SelfTestContext context{
            .request = request,
            .backend = backend,
            .cancel = {},
            .report = [&](const SelfCheck& check) { found.push_back(check); },
            .engine = nullptr};
        sensor.load_mw = Milliwatts{c.load_mw};
        session::judgeSensor(context, sensor, c.others);
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(found.front().state, c.state);
        EXPECT_THAT(found.front().detail, HasSubstr(c.words));
    }
}

} // namespace

// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_engine.h"
#include "support/fake_power_feed.h"
#include "support/json_schema.h"
#include "support/metered_replay.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include "ep/session/calibrate.h"

#include <gmock/gmock.h>

#include <memory>
#include <utility>
#include <vector>

namespace {

using namespace ep;
using testing::HasSubstr;

// A token takes 4 ms and 40 mJ.
const std::vector<test::MeteredPart> kMachine = {
    {.name = "q_proj", .seconds = 0.001, .joules = 0.008},
    {.name = "attention", .seconds = 0.001, .joules = 0.012},
    {.name = "down_proj", .seconds = 0.002, .joules = 0.020},
};

class CalibrateTest : public testing::Test {
protected:
    CalibrateTest() { test::writeTinyModel(m_folder.path()); }

    Result<session::CalibrationReport> calibrate(std::vector<test::MeteredPart> machine,
                                                 test::PowerScript power = {})
    {
        const auto meter = std::make_shared<test::WorkMeter>(3.0);
        test::EngineScript script;
        script.make_replay = [meter, machine]() -> std::unique_ptr<model::Replay> {
            return std::make_unique<test::MeteredReplay>(meter, machine);
        };
        const auto library = std::make_shared<test::FakeEngineLibrary>(std::move(script));
        power.kind = power.kind == "none" ? power.kind : "metered";
        power.joules_until = [meter](Nanoseconds time) { return meter->joulesUntil(time); };
        const session::Backend backend = test::scriptedBackend(power, library);
        session::CalibrateRequest request{.load = {.folder = m_folder.path()}, .interval_ms = 2};
        request.settings.block_seconds = 0.12;
        request.settings.idle_seconds = 0.1;
        request.settings.rounds = 2;
        request.settings.least_windows = 1; // on a busy machine, windows are long
        request.settings.while_disturbed = true;
        return session::calibrate(request, backend);
    }

private:
    test::TempFolder m_folder;
};

TEST_F(CalibrateTest, FindsWhatTheMachineWasMadeOf)
{
    const auto report = calibrate(kMachine);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->refusal, "");
    const CalibrationRecord& record = report->record;
    ASSERT_EQ(record.kinds.size(), 3U);
    EXPECT_NEAR(record.kinds[0].share, 0.2, 0.02);
    EXPECT_NEAR(record.kinds[1].share, 0.3, 0.02);
    EXPECT_NEAR(record.kinds[2].share, 0.5, 0.02);
    EXPECT_NEAR(record.idle_watts, 3.0, 0.1);
    EXPECT_NEAR(record.token_joules, 0.040, 0.002);
    for (const CalibratedKind& kind : record.kinds)
        EXPECT_EQ(kind.problem, "") << kind.kind;
    EXPECT_EQ(record.source, "metered");
    EXPECT_EQ(record.device, "cpu");
    EXPECT_EQ(record.attention, "scripted");
    EXPECT_GT(record.position, 0);
    EXPECT_THAT(session::calibrationToText(*report), HasSubstr("down_proj"));
    EXPECT_EQ(test::schemaProblem(session::calibrationToJson(*report), "calibration.schema.json"),
              "");
}

TEST_F(CalibrateTest, RefusesAKindThatIsCheaperAlone)
{
    std::vector<test::MeteredPart> machine = kMachine;
    machine[2].joules_alone = 0.008;
    const auto report = calibrate(machine);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_THAT(report->refusal, HasSubstr("add up to"));
    EXPECT_THAT(report->record.kinds[2].problem, HasSubstr("executed more often in a token"));
    EXPECT_EQ(report->record.kinds[0].problem, "");
}

TEST_F(CalibrateTest, SaysWhyNothingCanBeMeasured)
{
    test::PowerScript none;
    none.kind = "none";
    const auto nothing = calibrate(kMachine, none);
    ASSERT_FALSE(nothing);
    EXPECT_THAT(nothing.error().message, HasSubstr("No power source measures here"));
    test::PowerScript dying;
    dying.samples_before_failure = 20;
    const auto dead = calibrate(kMachine, dying);
    ASSERT_FALSE(dead);
    EXPECT_EQ(dead.error().message, dying.problem);
}

} // namespace

// SPDX-License-Identifier: GPL-3.0-or-later
// Peculiarities of runs on a device that computes while the program continues.
#include "session/run_watcher.h"

#include "ep/core/clock.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

namespace {

using namespace ep;
using test::EngineScript;
using test::EngineStage;
using test::RunWatcher;
using testing::ElementsAre;

// Marks carry the time at which they are made, and are counted.
class CountingTimer final : public model::SpanTimer {
public:
    explicit CountingTimer(std::shared_ptr<int> marks)
        : m_marks(std::move(marks))
    {
    }

    std::uint32_t mark() override
    {
        ++*m_marks;
        m_times.push_back(monotonicNow());
        return static_cast<std::uint32_t>(m_times.size() - 1);
    }

    Status read(std::vector<Nanoseconds>& times) override
    {
        times = std::move(m_times);
        m_times.clear();
        return {};
    }

private:
    std::shared_ptr<int> m_marks;
    std::vector<Nanoseconds> m_times;
};

// Number of steps of each generation in a run with a clean twin.
std::vector<int> stepsOfGenerations(const std::string& device, int warmupTokens)
{
    std::vector<int> steps;
    RunWatcher watcher(EngineScript{.device = device, .layers = 1, .on_stage = [&](EngineStage at) {
                                        if (at == EngineStage::Begin)
                                            steps.push_back(0);
                                        else if (at == EngineStage::PrefillLayer
                                                 || at == EngineStage::DecodeLayer)
                                            ++steps.back();
                                    }});
    session::RunRequest request = watcher.request();
    request.warmup_tokens = warmupTokens;
    watcher.run(request);
    EXPECT_TRUE(watcher.finished && watcher.finished->run->info.profiling.twin);
    return steps;
}

// Apple's GPUs compile a graph for each new context length: if the clean run were the first with
// its length, it alone would pay for that.
TEST(Accelerator, AppleGpusRehearseTheWholeLengthBeforeTheCleanRun)
{
    EXPECT_THAT(stepsOfGenerations("mps", 0), ElementsAre(8, 8, 8));
    EXPECT_THAT(stepsOfGenerations("mps", 3), ElementsAre(3, 8, 8, 8))
        << "a short warm-up does not compile what the whole length needs";
    EXPECT_THAT(stepsOfGenerations("cuda:0", 0), ElementsAre(4, 8, 8));
    EXPECT_THAT(stepsOfGenerations("cuda:0", 3), ElementsAre(3, 8, 8));
}

TEST(Accelerator, ALowerDepthMakesFewerMarks)
{
    std::vector<int> marks;
    for (const Depth depth : {Depth::None, Depth::Module, Depth::Deep}) {
        const auto count = std::make_shared<int>(0);
        RunWatcher watcher(EngineScript{
            .device = "mps", .clock_note = "late by a callback", .make_timer = [count] {
                return std::make_unique<CountingTimer>(count);
            }});
        session::RunRequest request = watcher.request();
        request.depth = depth;
        request.twin = false;
        const ProfilingRecord& record = watcher.finish(request).info.profiling;
        EXPECT_EQ(record.clock, "device");
        EXPECT_EQ(record.clock_note, "late by a callback");
        marks.push_back(*count);
    }
    EXPECT_LT(marks[0], marks[1]);
    EXPECT_LT(marks[1], marks[2]);
}

} // namespace

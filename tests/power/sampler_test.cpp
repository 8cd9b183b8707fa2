// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_test_support.h"
#include "support/fake_powermetrics_document.h"

#include "ep/power/sampler.h"

#include <QElapsedTimer>
#include <QSemaphore>
#include <QThread>

#include <gmock/gmock.h>

#include <mutex>

namespace ep::power {
namespace {

using ep::test::fakeOptions;
using ep::test::fakeStream;
using ep::test::ScopedEnv;
using ep::test::TemporaryFile;
using ep::test::waitFor;
using ::testing::HasSubstr;

CreatedSource created(std::unique_ptr<Source> source)
{
    auto kind = source->kind();
    return {std::move(source), std::move(kind), "because of the test"};
}

// A source controlled by the test, on the sampler's thread.
class PuppetSource : public Source {
public:
    std::function<void(PuppetSource&)> onStart = [](PuppetSource&) {};
    std::function<void(PuppetSource&)> onStop = [](PuppetSource& self) { Q_EMIT self.ended({}); };
    std::function<void()> onDestroy = [] {};

    ~PuppetSource() override { onDestroy(); }
    std::string kind() const override { return "puppet"; }
    Message detail() const override { return "made of wood"; }
    SourceFacts facts() const override { return {}; }
    void start(int) override { onStart(*this); }
    void stop() override { onStop(*this); }
};

PowerSample sampleAt(Nanoseconds begin)
{
    PowerSample sample;
    sample.window = {begin, begin + 10};
    sample.power_mw[Rail::Cpu] = Milliwatts{1.0};
    return sample;
}

// Records what a sampler delivers.
class Heard {
public:
    PowerSink sink()
    {
        return {.sample =
                    [this](const PowerSample& sample) {
                        const std::lock_guard lock(m_mutex);
                        m_samples.push_back(sample);
                        m_thread = QThread::currentThread();
                    },
                .problem =
                    [this](const Message& problem) {
                        const std::lock_guard lock(m_mutex);
                        m_problems.push_back(problem.english());
                    }};
    }
    std::vector<PowerSample> samples() const
    {
        const std::lock_guard lock(m_mutex);
        return m_samples;
    }
    std::vector<std::string> problems() const
    {
        const std::lock_guard lock(m_mutex);
        return m_problems;
    }
    QThread* thread() const
    {
        const std::lock_guard lock(m_mutex);
        return m_thread;
    }

private:
    mutable std::mutex m_mutex; // guards everything below
    std::vector<PowerSample> m_samples;
    std::vector<std::string> m_problems;
    QThread* m_thread = nullptr;
};

TEST(Sampler, HandsOnTheSamplesOfItsSource)
{
    const ScopedEnv environment("EP_FAKE_POWERMETRICS", "");
    Heard heard;
    Sampler sampler;
    EXPECT_EQ(sampler.kind(), "none");
    EXPECT_FALSE(sampler.running());
    ASSERT_TRUE(sampler.start(created(std::make_unique<PowermetricsSource>(fakeOptions())), 20,
                              heard.sink()));
    EXPECT_TRUE(sampler.running());
    EXPECT_EQ(sampler.kind(), "powermetrics");
    EXPECT_EQ(sampler.reason(), "because of the test");
    ASSERT_TRUE(waitFor([&] { return heard.samples().size() >= 4; }));
    EXPECT_THAT(sampler.detail(), HasSubstr("Fake1,1"));
    const auto before = heard.samples();
    sampler.stop();
    EXPECT_FALSE(sampler.running());
    auto kept = heard.samples(); // complete as soon as it has stopped
    ASSERT_GE(kept.size(), before.size());
    for (std::size_t i = 1; i < kept.size(); ++i)
        EXPECT_GE(kept[i].window.begin_ns, kept[i - 1].window.end_ns) << i;
    waitFor([] { return true; });
    EXPECT_EQ(heard.samples(), kept);
    kept.resize(before.size());
    EXPECT_EQ(kept, before);
}

TEST(Sampler, HandsOnWhatComesWhileItStops)
{
    auto source = std::make_unique<PuppetSource>();
    source->onStop = [](PuppetSource& self) {
        Q_EMIT self.sampleReady(sampleAt(10));
        Q_EMIT self.ended({});
    };
    Heard heard;
    Sampler sampler;
    ASSERT_TRUE(sampler.start(created(std::move(source)), 100, heard.sink()));
    sampler.stop();
    EXPECT_EQ(heard.samples(), (std::vector<PowerSample>{sampleAt(10)}));
}

TEST(Sampler, RunsItsSourceOnAnotherThread)
{
    QThread* thread = nullptr;
    auto source = std::make_unique<PuppetSource>();
    source->onStart = [&thread](PuppetSource& self) {
        thread = QThread::currentThread();
        Q_EMIT self.sampleReady(sampleAt(0));
    };
    Heard heard;
    Sampler sampler;
    ASSERT_TRUE(sampler.start(created(std::move(source)), 100, heard.sink()));
    // The caller does not need an event loop.
    for (int i = 0; i < 5000 && heard.samples().empty(); ++i)
        QThread::msleep(1);
    sampler.stop();
    EXPECT_NE(thread, QThread::currentThread());
    EXPECT_EQ(heard.thread(), thread);
}

TEST(Sampler, TellsOfASourceThatDiesAndKeepsItsSamples)
{
    const ScopedEnv environment("EP_FAKE_POWERMETRICS", "die=3");
    Heard heard;
    Sampler sampler;
    ASSERT_TRUE(sampler.start(created(std::make_unique<PowermetricsSource>(fakeOptions())), 20,
                              heard.sink()));
    ASSERT_TRUE(waitFor([&] { return !heard.problems().empty(); }));
    ASSERT_TRUE(waitFor([&] { return !sampler.running(); }));
    EXPECT_EQ(heard.samples().size(), 3u);
    sampler.stop();
    EXPECT_EQ(heard.samples().size(), 3u);
    ASSERT_EQ(heard.problems().size(), 1u);
    EXPECT_THAT(heard.problems()[0], HasSubstr("after 3 readings"));
}

TEST(Sampler, SaysNothingAtTheEndOfACapture)
{
    const TemporaryFile capture(fakeStream({{.elapsed_ns = 1000}, {.elapsed_ns = 1000}}));
    SourceChoice choice;
    choice.kind = "replay";
    choice.argument = capture.path();
    Heard heard;
    Sampler sampler;
    ASSERT_TRUE(sampler.start(choice, 100, heard.sink()));
    ASSERT_TRUE(waitFor([&] { return !sampler.running(); }));
    EXPECT_EQ(heard.samples().size(), 2u);
    sampler.stop();
    EXPECT_TRUE(heard.problems().empty());
}

TEST(Sampler, RunsWithoutASource)
{
    SourceChoice choice;
    choice.kind = "none";
    Heard heard;
    Sampler sampler;
    ASSERT_TRUE(sampler.start(choice, 100, heard.sink()));
    EXPECT_FALSE(sampler.running());
    EXPECT_EQ(sampler.kind(), "none");
    EXPECT_EQ(sampler.reason(), "Timing only, as requested.");
    sampler.stop();
    EXPECT_TRUE(heard.samples().empty());
}

TEST(Sampler, RefusesWhatCannotWork)
{
    Sampler sampler;
    SourceChoice choice;
    choice.kind = "replay";
    choice.argument = "/nonexistent/f";
    EXPECT_FALSE(sampler.start(choice, 100, {}));
    choice.kind = "modelled";
    for (const int interval : {0, -1, 3'600'001}) {
        const auto started = sampler.start(choice, interval, {});
        ASSERT_FALSE(started);
        EXPECT_EQ(started.error().code, ErrorCode::InvalidInput);
    }
    EXPECT_FALSE(sampler.running());
}

TEST(Sampler, ForgetsTheRunBefore)
{
    const auto puppet = [](int samples) {
        auto source = std::make_unique<PuppetSource>();
        source->onStart = [samples](PuppetSource& self) {
            for (int i = 0; i < samples; ++i)
                Q_EMIT self.sampleReady(sampleAt(10 * i));
        };
        return created(std::move(source));
    };
    Heard before;
    Heard after;
    Sampler sampler;
    ASSERT_TRUE(sampler.start(puppet(5), 100, before.sink()));
    ASSERT_TRUE(waitFor([&] { return before.samples().size() == 5; }));
    ASSERT_TRUE(sampler.start(puppet(2), 100, after.sink())); // ends the previous source
    ASSERT_TRUE(waitFor([&] { return after.samples().size() == 2; }));
    EXPECT_EQ(before.samples().size(), 5u);
}

TEST(Sampler, StopsASourceThatDoesNotReact)
{
    QSemaphore destroyed;
    auto source = std::make_unique<PuppetSource>();
    source->onStop = [](PuppetSource&) {};
    source->onDestroy = [&destroyed] { destroyed.release(); };
    Sampler sampler;
    ASSERT_TRUE(sampler.start(created(std::move(source)), 100, {}));
    QElapsedTimer clock;
    clock.start();
    sampler.stop(100);
    EXPECT_GE(clock.elapsed(), 100);
    EXPECT_TRUE(destroyed.tryAcquire(1, 5000)) << "the source goes with its thread";
    EXPECT_FALSE(sampler.running());
}

TEST(Sampler, LeavesASourceBehindThatIsStuck)
{
    QSemaphore stuck;
    QSemaphore entered;
    QSemaphore destroyed;
    auto source = std::make_unique<PuppetSource>();
    source->onStart = [&](PuppetSource& self) {
        entered.release();
        stuck.acquire();
        Q_EMIT self.sampleReady(sampleAt(0)); // nobody is listening any more
    };
    source->onDestroy = [&destroyed] { destroyed.release(); };
    Heard heard;
    {
        Sampler sampler;
        ASSERT_TRUE(sampler.start(created(std::move(source)), 100, heard.sink()));
        ASSERT_TRUE(entered.tryAcquire(1, 5000));
        sampler.stop(50);
        EXPECT_FALSE(sampler.running());
    }
    stuck.release();
    EXPECT_TRUE(destroyed.tryAcquire(1, 5000));
    waitFor([] { return true; });
    EXPECT_TRUE(heard.samples().empty());
}

TEST(Sampler, StopsWhenItIsDestroyed)
{
    QSemaphore stopped;
    auto source = std::make_unique<PuppetSource>();
    source->onStop = [&stopped](PuppetSource& self) {
        stopped.release();
        Q_EMIT self.ended({});
    };
    {
        Sampler sampler;
        ASSERT_TRUE(sampler.start(created(std::move(source)), 100, {}));
    }
    EXPECT_TRUE(stopped.tryAcquire(1));
}

} // namespace
} // namespace ep::power

// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/power_test_support.h"
#include "support/fake_powermetrics_document.h"

#include "ep/power/sampler.h"

#include <QElapsedTimer>
#include <QSemaphore>
#include <QTimer>

#include <gmock/gmock.h>

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

// Controlled by the test, on the sampler's thread.
class PuppetSource : public Source {
public:
    std::function<void(PuppetSource&)> onStart = [](PuppetSource&) {};
    std::function<void(PuppetSource&)> onStop = [](PuppetSource& self) { Q_EMIT self.ended({}); };
    std::function<void()> onDestroy = [] {};

    ~PuppetSource() override { onDestroy(); }
    std::string kind() const override { return "puppet"; }
    std::string detail() const override { return "made of wood"; }
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

TEST(Sampler, KeepsAndAnnouncesTheSamplesOfItsSource)
{
    const ScopedEnv environment("EP_FAKE_POWERMETRICS", "");
    Sampler sampler;
    std::vector<PowerSample> announced;
    QObject::connect(&sampler, &Sampler::sampleReady, &sampler,
                     [&](const PowerSample& sample) { announced.push_back(sample); });
    EXPECT_EQ(sampler.kind(), "none");
    EXPECT_FALSE(sampler.running());
    ASSERT_TRUE(sampler.start(created(std::make_unique<PowermetricsSource>(fakeOptions())), 20));
    EXPECT_TRUE(sampler.running());
    EXPECT_EQ(sampler.kind(), "powermetrics");
    EXPECT_EQ(sampler.reason(), "because of the test");
    ASSERT_TRUE(waitFor([&] { return announced.size() >= 4; }));
    EXPECT_THAT(sampler.detail(), HasSubstr("Fake1,1"));
    sampler.stop();
    EXPECT_FALSE(sampler.running());
    const auto kept = sampler.samples();
    ASSERT_GE(kept.size(), announced.size());
    EXPECT_TRUE(waitFor([&] { return announced.size() == kept.size(); }));
    EXPECT_EQ(announced, kept);
}

TEST(Sampler, RunsItsSourceOnAnotherThread)
{
    QThread* thread = nullptr;
    auto source = std::make_unique<PuppetSource>();
    source->onStart = [&thread](PuppetSource& self) {
        thread = QThread::currentThread();
        Q_EMIT self.sampleReady(sampleAt(0));
    };
    Sampler sampler;
    QThread* announcedOn = nullptr;
    QObject::connect(&sampler, &Sampler::sampleReady, &sampler,
                     [&] { announcedOn = QThread::currentThread(); });
    ASSERT_TRUE(sampler.start(created(std::move(source)), 100));
    ASSERT_TRUE(waitFor([&] { return announcedOn != nullptr; }));
    sampler.stop();
    EXPECT_NE(thread, QThread::currentThread());
    EXPECT_EQ(announcedOn, QThread::currentThread());
}

TEST(Sampler, TellsOfASourceThatDiesAndKeepsItsSamples)
{
    const ScopedEnv environment("EP_FAKE_POWERMETRICS", "die=3");
    Sampler sampler;
    std::vector<std::string> problems;
    QObject::connect(&sampler, &Sampler::sourceFailed, &sampler,
                     [&](const QString& problem) { problems.push_back(problem.toStdString()); });
    ASSERT_TRUE(sampler.start(created(std::make_unique<PowermetricsSource>(fakeOptions())), 20));
    ASSERT_TRUE(waitFor([&] { return !problems.empty(); }));
    EXPECT_FALSE(sampler.running());
    EXPECT_EQ(sampler.samples().size(), 3u);
    sampler.stop();
    EXPECT_EQ(sampler.samples().size(), 3u);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_THAT(problems[0], HasSubstr("after 3 readings"));
}

TEST(Sampler, SaysNothingAtTheEndOfACapture)
{
    const TemporaryFile capture(fakeStream({{.elapsed_ns = 1000}, {.elapsed_ns = 1000}}));
    SourceChoice choice;
    choice.kind = "replay";
    choice.argument = capture.path();
    Sampler sampler;
    int problems = 0;
    QObject::connect(&sampler, &Sampler::sourceFailed, &sampler, [&] { ++problems; });
    ASSERT_TRUE(sampler.start(choice, 100));
    ASSERT_TRUE(waitFor([&] { return !sampler.running(); }));
    EXPECT_EQ(sampler.samples().size(), 2u);
    sampler.stop();
    EXPECT_EQ(problems, 0);
}

TEST(Sampler, RunsWithoutASource)
{
    SourceChoice choice;
    choice.kind = "none";
    Sampler sampler;
    ASSERT_TRUE(sampler.start(choice, 100));
    EXPECT_FALSE(sampler.running());
    EXPECT_EQ(sampler.kind(), "none");
    EXPECT_EQ(sampler.reason(), "Timing only, as requested.");
    sampler.stop();
    EXPECT_TRUE(sampler.samples().empty());
}

TEST(Sampler, RefusesWhatCannotWork)
{
    Sampler sampler;
    SourceChoice choice;
    choice.kind = "replay";
    choice.argument = "/nonexistent/f";
    EXPECT_FALSE(sampler.start(choice, 100));
    choice.kind = "modelled";
    for (const int interval : {0, -1, 3'600'001}) {
        const auto started = sampler.start(choice, interval);
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
    Sampler sampler;
    ASSERT_TRUE(sampler.start(puppet(5), 100));
    ASSERT_TRUE(waitFor([&] { return sampler.samples().size() == 5; }));
    int announced = 0;
    ASSERT_TRUE(sampler.start(puppet(2), 100)); // ends the one before
    QObject::connect(&sampler, &Sampler::sampleReady, &sampler, [&] { ++announced; });
    ASSERT_TRUE(waitFor([&] { return announced == 2; }));
    EXPECT_EQ(sampler.samples().size(), 2u);
}

TEST(Sampler, StopsASourceThatDoesNotReact)
{
    QSemaphore destroyed;
    auto source = std::make_unique<PuppetSource>();
    source->onStop = [](PuppetSource&) {};
    source->onDestroy = [&destroyed] { destroyed.release(); };
    Sampler sampler;
    ASSERT_TRUE(sampler.start(created(std::move(source)), 100));
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
        Q_EMIT self.sampleReady(sampleAt(0)); // nobody listens any more
    };
    source->onDestroy = [&destroyed] { destroyed.release(); };
    {
        Sampler sampler;
        int announced = 0;
        QObject::connect(&sampler, &Sampler::sampleReady, &sampler, [&] { ++announced; });
        ASSERT_TRUE(sampler.start(created(std::move(source)), 100));
        ASSERT_TRUE(entered.tryAcquire(1, 5000));
        sampler.stop(50);
        EXPECT_FALSE(sampler.running());
        EXPECT_EQ(announced, 0);
    }
    stuck.release();
    EXPECT_TRUE(destroyed.tryAcquire(1, 5000));
    waitFor([] { return true; });
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
        ASSERT_TRUE(sampler.start(created(std::move(source)), 100));
    }
    EXPECT_TRUE(stopped.tryAcquire(1));
}

} // namespace
} // namespace ep::power

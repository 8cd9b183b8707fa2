// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_events.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace ep::model {
namespace {

using testing::HasSubstr;

constexpr Nanoseconds kPiece = 300'000; // one repetition of the work

// A device with its own clock: the host continues immediately and waits when reading. `report`
// converts the true times of the marks to the reported ones.
class FakeGpu final : public SpanTimer {
public:
    using Report = std::function<std::vector<Nanoseconds>(std::vector<Nanoseconds>)>;

    explicit FakeGpu(Report report = {})
        : m_report(std::move(report))
    {
    }

    std::uint32_t mark() override
    {
        m_marks.push_back(std::max(m_done, m_host));
        return static_cast<std::uint32_t>(m_marks.size() - 1);
    }
    Status read(std::vector<Nanoseconds>& times) override
    {
        wait();
        times = m_report ? m_report(m_marks) : m_marks;
        m_marks.clear();
        return {};
    }
    std::int64_t lost() const override { return 0; }

    ClockSubject subject()
    {
        return {.work =
                    [this](int times) {
                        m_done = std::max(m_done, m_host) + times * kPiece;
                        m_host += times * 2'000; // the time to submit it
                    },
                .wait = [this] { wait(); },
                .now = [this] { return m_host; }};
    }

private:
    void wait() { m_host = std::max(m_host, m_done) + 5'000; }

    Report m_report;
    Nanoseconds m_host = 1'000'000;
    Nanoseconds m_done = 0; // when the device finishes everything submitted
    std::vector<Nanoseconds> m_marks;
};

TEST(ClockCheckTest, trustsMarksThatTellTheTime)
{
    FakeGpu exact;
    EXPECT_EQ(checkMarks(exact, exact.subject()), "");
    // As on Apple's GPUs, where each time arrives one callback later.
    FakeGpu late([](std::vector<Nanoseconds> times) {
        Nanoseconds delay = 20'000;
        for (Nanoseconds& time : times)
            time += delay += 15'000;
        return times;
    });
    EXPECT_EQ(checkMarks(late, late.subject()), "");
}

TEST(ClockCheckTest, saysWhatIsWrongWithOthers)
{
    struct Case {
        FakeGpu::Report report;
        const char* said;
    };
    using Times = std::vector<Nanoseconds>;
    const std::vector<Case> cases = {
        // Timestamps of the host: submitting both pieces takes no time.
        {[](Times t) {
             return Times{t[0], t[0] + 30'000, t[0] + 60'000};
         },
         "four times the work"},
        {[](const Times&) {
             return Times{0, 0, 0};
         },
         "four times the work"},
        {[](Times t) {
             return Times{t[0], t[2], t[1]};
         },
         "out of order"},
        {[](Times t) {
             return Times{t[1], t[0], t[2]};
         },
         "out of order"},
        {[](Times t) {
             return Times{t[0], t[0] + 3 * (t[1] - t[0]), t[0] + 3 * (t[2] - t[0])};
         },
         "in a wall time of"},
        {[](Times t) {
             return Times{t[0], t[1]};
         },
         "marks got lost"},
    };
    for (const Case& entry : cases) {
        FakeGpu gpu(entry.report);
        EXPECT_THAT(checkMarks(gpu, gpu.subject()), HasSubstr(entry.said));
    }
}

TEST(ClockCheckTest, aDisturbedRoundDoesNotDecide)
{
    int round = 0;
    FakeGpu gpu([&](std::vector<Nanoseconds> times) {
        if (++round == 2)
            times[1] -= (times[1] - times[0]) / 2;
        return times;
    });
    EXPECT_EQ(checkMarks(gpu, gpu.subject()), "");
    EXPECT_EQ(round, 5);
}

} // namespace
} // namespace ep::model

// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_events.h"

#include "metal_buffers.h"

#include "ep/core/format.h"

#include <algorithm>
#include <array>

namespace ep::model {
namespace {

template <typename Event>
std::unique_ptr<SpanTimer> timerOf(at::Device device)
{
    if constexpr (TimedEvent<Event>) {
        try {
            auto timer =
                std::make_unique<EventTimer<TorchEvents<Event>>>(TorchEvents<Event>(device));
            std::vector<Nanoseconds> times;
            timer->mark();
            if (timer->read(times))
                return timer;
        } catch (const std::exception&) {
            // The device has no timed events; the caller continues without any.
        }
    }
    return nullptr;
}

std::unique_ptr<SpanTimer> bufferTimer(at::Device /*device*/)
{
    const auto calls = findMetalCalls();
    return calls ? std::make_unique<BufferTimer>(*calls) : nullptr;
}

constexpr int kClockRounds = 5;
// Minimum duration of one piece of work, so that the cost of a mark itself (on Apple's GPUs some
// tens of microseconds) does not matter.
constexpr Nanoseconds kMinPiece = 4'000'000;
constexpr int kMaxTimes = 1 << 14;
constexpr int kTimesMore = 4;
constexpr double kMinRatio = 3.6;
constexpr double kMaxRatio = 4.4;
constexpr double kWallTolerance = 1.02; // the two clocks are read one after the other

// How often a piece repeats the work. Determining the number also warms up the device.
int timesOfPiece(const ClockSubject& subject)
{
    for (int times = 1;; times *= 2) {
        const Nanoseconds begin = subject.now();
        subject.work(times);
        subject.wait();
        if (subject.now() - begin >= kMinPiece || times >= kMaxTimes)
            return times;
    }
}

std::string whyMarksFailOnce(SpanTimer& timer, at::Device device)
{
    // On NVIDIA's GPUs a small matmul is over before the next one is launched, so that the measured
    // time would be the processor's.
    const std::int64_t side = device.is_cuda() ? 2048 : 512;
    try {
        const c10::InferenceMode noGradients;
        const auto options = at::TensorOptions(at::kFloat).device(device);
        const at::Tensor left = at::full({side, side}, 1.0 / static_cast<double>(side), options);
        at::Tensor right = at::ones({side, side}, options); // the result equals the input
        return checkMarks(timer,
                          {.work =
                               [&](int times) {
                                   for (int i = 0; i < times; ++i)
                                       right = at::mm(left, right);
                               },
                           .wait = [&] { synchronizeDevice(device); },
                           .now = monotonicNow});
    } catch (const std::exception& exception) {
        return std::string("the test of its events failed: ") + exception.what();
    }
}

} // namespace

std::vector<TimerKind> timerKinds(at::Device device)
{
    if (device.is_cpu())
        return {};
    if (!device.is_mps())
        return {{"events", "", timerOf<c10::Event>}};
    return {{"command buffers",
             "times are those that the GPU notes for its command buffers; every mark hands the "
             "work before it "
             "to the GPU: a lower depth makes fewer marks",
             bufferTimer},
            {"events",
             "on Apple's GPUs the time of an event may be that of a callback, some tens of "
             "microseconds late, "
             "and every mark hands the work before it to the GPU: a lower depth makes fewer marks",
             timerOf<c10::Event>}};
}

ChosenTimer chooseTimer(at::Device device, const std::vector<TimerKind>& kinds,
                        const std::function<std::string(SpanTimer&)>& whyFails)
{
    std::string refused;
    for (const TimerKind& kind : kinds) {
        const auto timer = kind.make(device);
        if (!timer)
            continue;
        const std::string failure = whyFails(*timer);
        if (failure.empty())
            return {kind.make,
                    refused + (refused.empty() || kind.note.empty() ? "" : "; ") + kind.note};
        refused += (refused.empty() ? "the " : "; the ") + kind.name
            + " of this device failed their test (" + failure + ")";
    }
    if (kinds.empty())
        return {};
    if (refused.empty())
        refused = "LibTorch " + torchVersion() + " has no timed events on this device";
    return {nullptr, refused + ": spans end when their work has been submitted"};
}

std::string whyMarksFail(SpanTimer& timer, at::Device device)
{
    constexpr int kTries = 3; // another program may disturb a try
    std::string failure;
    for (int i = 0; i < kTries; ++i) {
        failure = whyMarksFailOnce(timer, device);
        if (failure.empty())
            break;
    }
    return failure;
}

std::string checkMarks(SpanTimer& timer, const ClockSubject& subject)
{
    const int times = timesOfPiece(subject);
    std::array<double, kClockRounds> ratios{};
    for (double& ratio : ratios) {
        subject.wait();
        const Nanoseconds begin = subject.now();
        timer.mark();
        subject.work(times);
        timer.mark();
        subject.work(kTimesMore * times);
        timer.mark();
        std::vector<Nanoseconds> at;
        const std::int64_t lost = timer.lost();
        if (const Status read = timer.read(at); !read)
            return read.error().message.english();
        const Nanoseconds wall = subject.now() - begin;
        if (at.size() != 3 || timer.lost() != lost)
            return "marks got lost";
        const Nanoseconds once = at[1] - at[0];
        const Nanoseconds more = at[2] - at[1];
        if (once < 0 || more < 0)
            return "marks come out of order";
        if (static_cast<double>(once + more) > kWallTolerance * static_cast<double>(wall)) {
            return "its spans last " + formatDuration(once + more) + " in a wall time of "
                + formatDuration(wall);
        }
        ratio = static_cast<double>(more) / static_cast<double>(std::max<Nanoseconds>(1, once));
    }
    std::ranges::sort(ratios);
    const double median = ratios[kClockRounds / 2];
    if (median >= kMinRatio && median <= kMaxRatio)
        return {};
    return "four times the work lasts " + formatSignificant(median) + " times as long";
}

} // namespace ep::model

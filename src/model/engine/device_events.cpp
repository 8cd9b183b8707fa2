// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_events.h"

#include "buffer_timer.h"
#include "clock_check.h"
#include "metal_buffers.h"
#include "torch_version.h"

#include <exception>

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
    return calls ? std::make_unique<BufferTimer>(makeMetalBuffers(*calls)) : nullptr;
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

namespace {

std::string whyMarksFailOnce(SpanTimer& timer, at::Device device)
{
    // On NVIDIA's GPUs a small matmul is over before the next one is launched, so that its time
    // would be that of the processor.
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

} // namespace ep::model

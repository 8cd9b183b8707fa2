// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_events.h"

#include "clock_check.h"

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
            // The device has no timed events; the caller continues without.
        }
    }
    return nullptr;
}

} // namespace

std::unique_ptr<SpanTimer> makeEventTimer(at::Device device)
{
    return device.is_cpu() ? nullptr : timerOf<c10::Event>(device);
}

std::string whyMarksFail(SpanTimer& timer, at::Device device)
{
    constexpr std::int64_t kSide = 512;
    try {
        const c10::InferenceMode noGradients;
        const auto options = at::TensorOptions(at::kFloat).device(device);
        const at::Tensor left = at::full({kSide, kSide}, 1.0 / kSide, options);
        at::Tensor right = at::ones({kSide, kSide}, options); // the product is the same again
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

std::string noteOnMarks(at::DeviceType device, bool timed, const std::string& failure)
{
    if (!timed) {
        return std::string("LibTorch ") + TORCH_VERSION
            + " has no timed events on this device: spans end when their work has been submitted";
    }
    if (!failure.empty()) {
        return "the events of this device failed their test (" + failure
            + "): spans end when their work has been submitted";
    }
    if (device == at::kMPS) {
        return "on Apple's GPUs the time of an event may be that of a callback, some tens of "
               "microseconds late, and every mark hands the work before it to the GPU: a lower "
               "depth makes fewer marks";
    }
    return {};
}

} // namespace ep::model

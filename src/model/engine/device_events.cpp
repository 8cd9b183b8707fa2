// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_events.h"

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

} // namespace ep::model

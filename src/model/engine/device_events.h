// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "torch_compat.h"

#include "ep/core/clock.h"
#include "ep/model/engine.h"

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ep::model {

// Whether the events of this LibTorch report times (2.4 or newer).
template <typename Event>
concept TimedEvent = requires(const Event& first, const Event& second)
{
    {
        first.elapsedTime(second)
        } -> std::convertible_to<double>; // in ms
};

// Events of a device: recorded into its queue without waiting, read once per token. Device needs
//   Event record();                       a new event after the work submitted so far
//   void wait(Event& event);              waits until the device has passed it
//   double elapsedMs(Event& from, Event& to);
// Their times are relative to an anchor, an event that the device had passed when the host's clock
// was read. Each read() renews the anchor, so that neither drift nor rounding adds up.
//
// Each of these calls may throw, because Apple's GPUs record an event's time in a callback, and two
// callbacks can come in reverse order. Only the current mark is lost: it gets the time of the mark
// before.
template <typename Device>
class EventTimer final : public SpanTimer {
public:
    explicit EventTimer(Device device)
        : m_device(std::move(device))
        , m_anchor(m_device.record())
    {
        m_device.wait(m_anchor);
        m_anchorTime = monotonicNow();
    }

    std::uint32_t mark() override
    {
        m_events.push_back(tried([&] { return m_device.record(); }));
        return static_cast<std::uint32_t>(m_events.size() - 1);
    }

    Status read(std::vector<Nanoseconds>& times) override
    {
        times.clear();
        if (m_events.empty())
            return {};
        auto next = tried([&] {
            Event event = m_device.record();
            m_device.wait(event);
            return event;
        });
        const Nanoseconds now = monotonicNow();
        Nanoseconds last = m_anchorTime;
        for (std::optional<Event>& event : m_events) {
            const auto elapsed = event ? tried([&] { return m_device.elapsedMs(m_anchor, *event); })
                                       : std::optional<double>();
            if (elapsed)
                last = m_anchorTime + static_cast<Nanoseconds>(*elapsed * 1e6);
            else
                ++m_lost;
            times.push_back(last);
        }
        m_events.clear();
        if (next) {
            m_anchor = std::move(*next);
            m_anchorTime = now;
        }
        return {};
    }

    std::int64_t lost() const override { return m_lost; }

private:
    using Event = decltype(std::declval<Device&>().record());

    template <typename Call>
    static auto tried(const Call& call) -> std::optional<decltype(call())>
    {
        try {
            return call();
        } catch (const std::exception&) {
            return std::nullopt;
        }
    }

    Device m_device;
    Event m_anchor;
    Nanoseconds m_anchorTime = 0;
    std::vector<std::optional<Event>> m_events; // since the last read(); nothing: not recorded
    std::int64_t m_lost = 0;
};

// The implementation for every device that LibTorch supports, with its own events.
template <typename Event>
class TorchEvents {
public:
    explicit TorchEvents(at::Device device)
        : m_device(device)
    {
    }

    std::unique_ptr<Event> record()
    {
        const c10::impl::VirtualGuardImpl guard(m_device.type());
        auto event = std::make_unique<Event>(m_device.type(), c10::EventFlag::BACKEND_DEFAULT);
        event->record(guard.getStream(m_device));
        return event;
    }
    void wait(const std::unique_ptr<Event>& event) { event->synchronize(); }
    double elapsedMs(const std::unique_ptr<Event>& from, const std::unique_ptr<Event>& to)
    {
        return from->elapsedTime(*to);
    }

private:
    at::Device m_device;
};

// Null if the device or this LibTorch has no such marks.
using MakeTimer = std::unique_ptr<SpanTimer> (*)(at::Device device);

// A way to time spans on an accelerator.
struct TimerKind {
    std::string name; // "command buffers"
    std::string note; // caveat about its times for a run; empty: none
    MakeTimer make = nullptr;
};

// Best first: command buffers on Apple's GPUs, then events. None for the processor, which needs
// none.
std::vector<TimerKind> timerKinds(at::Device device);

// The first kind that exists and passes its test; make is null if there is none. The note says
// which clocks were refused and why.
struct ChosenTimer {
    MakeTimer make = nullptr;
    std::string note;
};
// whyFails: empty if a timer's marks can be trusted, otherwise what is wrong with them.
ChosenTimer chooseTimer(at::Device device, const std::vector<TimerKind>& kinds,
                        const std::function<std::string(SpanTimer&)>& whyFails);

// Applies checkMarks() to the device's marks. Takes about half a second.
std::string whyMarksFail(SpanTimer& timer, at::Device device);

// A device to be tested.
struct ClockSubject {
    std::function<void(int times)> work; // repeats the same small piece of work
    std::function<void()> wait; // waits until the device has finished the work
    std::function<Nanoseconds()> now; // the host's monotonic clock
};

// Checks that marks measure the time of the work between them: known work runs once and then four
// times, for several rounds. The ratio of the two times must be between 3.6 and 4.4 (in the median
// round), the order must be correct and the sum at most the wall time (in every round). Returns the
// failed condition, or an empty string. Passes on exceptions of the subject.
std::string checkMarks(SpanTimer& timer, const ClockSubject& subject);

} // namespace ep::model

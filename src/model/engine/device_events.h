// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "torch_compat.h"

#include "ep/core/clock.h"
#include "ep/model/engine.h"

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <concepts>
#include <cstdint>
#include <memory>
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
// Times are relative to an anchor, an event that the device had passed when the host's clock was
// read. It is renewed with each read(), so that neither drift nor rounding accumulates.
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
        m_events.push_back(m_device.record());
        return static_cast<std::uint32_t>(m_events.size() - 1);
    }

    Status read(std::vector<Nanoseconds>& times) override
    {
        times.clear();
        if (m_events.empty())
            return {};
        auto next = m_device.record();
        m_device.wait(next);
        const Nanoseconds now = monotonicNow();
        for (auto& event : m_events) {
            times.push_back(m_anchorTime
                            + static_cast<Nanoseconds>(m_device.elapsedMs(m_anchor, event) * 1e6));
        }
        m_events.clear();
        m_anchor = std::move(next);
        m_anchorTime = now;
        return {};
    }

private:
    using Event = decltype(std::declval<Device&>().record());

    Device m_device;
    Event m_anchor;
    Nanoseconds m_anchorTime = 0;
    std::vector<Event> m_events;
};

// Implementation for every device supported by LibTorch, with its own events.
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

// Null on the processor, which needs none, and if the device or this LibTorch has none.
std::unique_ptr<SpanTimer> makeEventTimer(at::Device device);

} // namespace ep::model

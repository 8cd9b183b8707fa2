// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "platform/energy_channels.h"

#include "ep/core/shared_library.h"
#include "ep/core/time_range.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ep::power {

// The functions used from macOS' private IOReport library and from CoreFoundation, with prototypes
// of our own, opened at run time. Objects of the system are opaque pointers.
class IoReport {
public:
    // Subscribes to the groups "Energy Model" and, for rails missing there, "PMP".
    static Result<std::unique_ptr<IoReport>> open();
    ~IoReport();
    IoReport(const IoReport&) = delete;
    IoReport& operator=(const IoReport&) = delete;

    struct Reading {
        EnergyChannel channel;
        std::int64_t value = 0; // since the last call; INT64_MIN: no value
        // when the driver published it, on the host's monotonic clock
        std::optional<Nanoseconds> timestamp;
    };
    struct Readings {
        Nanoseconds at = 0; // monotonic clock
        std::vector<Reading> channels{};
    };
    // Advance of every channel since the last call; the first call returns 0 everywhere. No
    // channels if the system returns no sample.
    Readings advance();

    const SharedLibrary& library() const
    {
        return m_report;
    } // all functions that it needs from the system

private:
    IoReport() = default;
    using Object = const void*;
    bool loadFunctions();
    void loadClock();
    Status subscribe();
    Object text(const char* words) const; // to be released by the caller
    std::string read(Object string) const;
    std::vector<EnergyChannel> channelsOf(Object channels) const;
    std::optional<std::uint64_t> ticksOf(Object item) const;
    void release(Object& object) const;

    SharedLibrary m_report{};
    SharedLibrary m_foundation{};
    // CoreFoundation
    void (*m_release)(Object) = nullptr;
    Object (*m_makeString)(Object, const char*, std::uint32_t) = nullptr;
    unsigned char (*m_readString)(Object, char*, long, std::uint32_t) = nullptr;
    Object (*m_valueOf)(Object dictionary, Object key) = nullptr;
    long (*m_countOf)(Object array) = nullptr;
    Object (*m_itemOf)(Object array, long index) = nullptr;
    Object (*m_copyMutable)(Object, long, Object dictionary) = nullptr;
    const unsigned char* (*m_bytesOf)(Object data) = nullptr; // null: no timestamps
    long (*m_lengthOf)(Object data) = nullptr;
    // IOReport
    Object (*m_copyChannels)(Object group, Object subgroup, std::uint64_t, std::uint64_t,
                             std::uint64_t) = nullptr;
    void (*m_merge)(Object into, Object other, Object) = nullptr;
    Object (*m_subscribe)(Object, Object channels, Object* subscribed, std::uint64_t,
                          Object) = nullptr;
    Object (*m_sample)(Object subscription, Object channels, Object) = nullptr;
    Object (*m_delta)(Object before, Object after, Object) = nullptr;
    Object (*m_name)(Object item) = nullptr;
    Object (*m_unit)(Object item) = nullptr;
    std::int64_t (*m_value)(Object item, std::int32_t) = nullptr;
    // The system library's clock of the timestamps, whose ticks last numerator / denominator
    // ns.
    std::uint64_t (*m_ticks)() = nullptr;
    double m_tickNs = 0.0;

    Object m_channels = nullptr;
    Object m_subscribed = nullptr;
    Object m_subscription = nullptr;
    Object m_last = nullptr;
    Object m_channelsKey = nullptr;
    Object m_elementsKey = nullptr;
};

} // namespace ep::power

// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform/ioreport.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace ep::power {

namespace {
constexpr std::uint32_t kUtf8 = 0x08000100;
constexpr const char* kReportLibrary = "/usr/lib/libIOReport.dylib";
constexpr const char* kFoundation =
    "/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation";
constexpr const char* kOtherSource = "choose another power source";
} // namespace

Result<std::unique_ptr<IoReport>> IoReport::open()
{
    auto report = SharedLibrary::open(pathFrom("EP_IOREPORT", kReportLibrary),
                                      "IOReport library of macOS", kOtherSource);
    if (!report)
        return report.error();
    auto foundation = SharedLibrary::open(pathFrom("EP_COREFOUNDATION", kFoundation),
                                          "CoreFoundation of macOS", kOtherSource);
    if (!foundation)
        return foundation.error();
    std::unique_ptr<IoReport> opened(new IoReport);
    opened->m_report = std::move(*report);
    opened->m_foundation = std::move(*foundation);
    if (!opened->loadFunctions())
        return Error{ErrorCode::Unsupported,
                     "The IOReport library of this system lacks required functions; choose the "
                     "power source powermetrics."};
    opened->loadClock();
    if (const Status status = opened->subscribe(); !status)
        return status.error();
    return opened;
}

bool IoReport::loadFunctions()
{
    const SharedLibrary& cf = m_foundation;
    const SharedLibrary& io = m_report;
    return cf.load(m_release, "CFRelease") && cf.load(m_makeString, "CFStringCreateWithCString")
        && cf.load(m_readString, "CFStringGetCString") && cf.load(m_valueOf, "CFDictionaryGetValue")
        && cf.load(m_countOf, "CFArrayGetCount") && cf.load(m_itemOf, "CFArrayGetValueAtIndex")
        && cf.load(m_copyMutable, "CFDictionaryCreateMutableCopy")
        && io.load(m_copyChannels, "IOReportCopyChannelsInGroup")
        && io.load(m_merge, "IOReportMergeChannels")
        && io.load(m_subscribe, "IOReportCreateSubscription")
        && io.load(m_sample, "IOReportCreateSamples")
        && io.load(m_delta, "IOReportCreateSamplesDelta")
        && io.load(m_name, "IOReportChannelGetChannelName")
        && io.load(m_unit, "IOReportChannelGetUnitLabel")
        && io.load(m_value, "IOReportSimpleGetIntegerValue");
}

// Required for timestamps only.
void IoReport::loadClock()
{
    struct Timebase {
        std::uint32_t numerator = 0;
        std::uint32_t denominator = 0;
    };
    int (*timebase)(Timebase*) = nullptr;
    Timebase base;
    if (m_foundation.load(m_bytesOf, "CFDataGetBytePtr")
        && m_foundation.load(m_lengthOf, "CFDataGetLength")
        && m_report.load(m_ticks, "mach_absolute_time")
        && m_report.load(timebase, "mach_timebase_info") && timebase(&base) == 0
        && base.denominator != 0)
        m_tickNs = static_cast<double>(base.numerator) / base.denominator;
}

IoReport::~IoReport()
{
    if (m_release == nullptr)
        return;
    for (Object* object :
         {&m_last, &m_subscription, &m_subscribed, &m_channels, &m_channelsKey, &m_elementsKey})
        release(*object);
}

void IoReport::release(Object& object) const
{
    if (object != nullptr)
        m_release(object);
    object = nullptr;
}

IoReport::Object IoReport::text(const char* words) const
{
    return m_makeString(nullptr, words, kUtf8);
}

std::string IoReport::read(Object string) const
{
    std::array<char, 256> buffer{};
    if (string == nullptr
        || m_readString(string, buffer.data(), static_cast<long>(buffer.size()), kUtf8) == 0)
        return {};
    return buffer.data();
}

std::vector<EnergyChannel> IoReport::channelsOf(Object channels) const
{
    std::vector<EnergyChannel> list;
    const Object items = m_valueOf(channels, m_channelsKey);
    for (long i = 0; items != nullptr && i < m_countOf(items); ++i) {
        const Object item = m_itemOf(items, i);
        list.push_back({read(m_name(item)), read(m_unit(item))});
    }
    return list;
}

Status IoReport::subscribe()
{
    m_channelsKey = text("IOReportChannels");
    m_elementsKey = text("RawElements");
    Object group = text("Energy Model");
    Object found = m_copyChannels(group, nullptr, 0, 0, 0);
    release(group);
    // The base M1 has some rails in another group.
    const auto rails =
        found != nullptr ? chooseChannels(channelsOf(found)) : PerRail<std::vector<std::size_t>>{};
    if (!rails[Rail::Cpu] || !rails[Rail::Dram]) {
        group = text("PMP");
        Object more = m_copyChannels(group, nullptr, 0, 0, 0);
        release(group);
        if (found == nullptr)
            std::swap(found, more);
        else if (more != nullptr)
            m_merge(found, more, nullptr);
        release(more);
    }
    if (found == nullptr)
        return Error{ErrorCode::Unsupported,
                     "This system has no energy counters in IOReport, as in a virtual machine; "
                     "choose another power source."};
    m_channels = m_copyMutable(nullptr, 0, found);
    release(found);
    m_subscription = m_subscribe(nullptr, m_channels, &m_subscribed, 0, nullptr);
    if (m_subscription == nullptr)
        return Error{ErrorCode::Unsupported,
                     "The system denies this program access to its energy counters (IOReport); "
                     "choose the power source powermetrics."};
    return {};
}

// The channel's first element, as returned by the kernel (xnu's IOReportElement): provider, channel
// and type, 8 bytes each, then the time at which the driver set its value.
std::optional<std::uint64_t> IoReport::ticksOf(Object item) const
{
    constexpr std::size_t kOffset = 24;
    std::uint64_t ticks = 0;
    const Object elements = m_tickNs > 0.0 ? m_valueOf(item, m_elementsKey) : nullptr;
    if (elements == nullptr || m_lengthOf(elements) < static_cast<long>(kOffset + sizeof(ticks)))
        return std::nullopt;
    std::memcpy(&ticks, m_bytesOf(elements) + kOffset, sizeof(ticks));
    return ticks != 0 ? std::optional(ticks) : std::nullopt;
}

IoReport::Readings IoReport::advance()
{
    // Reads both clocks at the same instant, the time of the reading.
    const std::uint64_t ticks = m_tickNs > 0.0 ? m_ticks() : 0;
    Readings readings{.at = monotonicNow()};
    Object now =
        m_sample(m_subscription, m_subscribed != nullptr ? m_subscribed : m_channels, nullptr);
    if (now == nullptr)
        return readings;
    Object delta = m_last != nullptr ? m_delta(m_last, now, nullptr) : nullptr;
    const Object items = m_valueOf(now, m_channelsKey);
    const Object steps = delta != nullptr ? m_valueOf(delta, m_channelsKey) : nullptr;
    for (long i = 0; items != nullptr && i < m_countOf(items); ++i) {
        const Object item = m_itemOf(items, i);
        Reading reading{{read(m_name(item)), read(m_unit(item))}, 0, {}};
        if (const auto then = ticksOf(item)) {
            const auto age = static_cast<double>(static_cast<std::int64_t>(ticks - *then));
            reading.timestamp = readings.at - std::llround(age * m_tickNs);
        }
        if (m_last != nullptr) {
            const Object step =
                steps != nullptr && i < m_countOf(steps) ? m_itemOf(steps, i) : nullptr;
            const bool same = step != nullptr && read(m_name(step)) == reading.channel.name;
            reading.value = same ? m_value(step, 0) : std::numeric_limits<std::int64_t>::min();
        }
        readings.channels.push_back(std::move(reading));
    }
    release(delta);
    release(m_last);
    m_last = now;
    return readings;
}

} // namespace ep::power

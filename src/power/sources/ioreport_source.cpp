// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/ioreport_source.h"

#include "sources/window_assembler.h"

#include "ep/core/clock.h"
#include "ep/core/shared_library.h"
#include "ep/core/time_range.h"
#include "ep/core/utf8.h"
#include "ep/core/words.h"
#include "ep/power/modelled_source.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <limits>
#include <optional>
#include <utility>

namespace ep::power {

namespace {

bool isNumber(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool takePrefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

// "DIE_<number>_<rest>"
bool isOfDie(std::string_view name, std::string_view rest)
{
    if (!takePrefix(name, "DIE_"))
        return false;
    const auto bar = name.find('_');
    return bar != name.npos && isNumber(name.substr(0, bar)) && name.substr(bar + 1) == rest;
}

// "<base><number>"
bool isPackage(std::string_view name, std::string_view base)
{
    return takePrefix(name, base) && isNumber(name);
}

// "<base><number>_<number>"
bool isDieOfPackage(std::string_view name, std::string_view base)
{
    if (!takePrefix(name, base))
        return false;
    const auto bar = name.find('_');
    return bar != name.npos && isNumber(name.substr(0, bar)) && isNumber(name.substr(bar + 1));
}

struct Family {
    Rail rail;
    std::string_view name;
    bool (*belongs)(std::string_view channel, std::string_view name);
};
bool isExactly(std::string_view channel, std::string_view name)
{
    return channel == name;
}
// For each rail, the best family comes first.
constexpr std::array<Family, 13> kFamilies = {{
    {Rail::Cpu, "CPU Energy", isExactly},
    {Rail::Cpu, "CPU Energy", isOfDie},
    {Rail::Gpu, "GPU Energy", isExactly},
    {Rail::Gpu, "GPU Energy", isOfDie},
    {Rail::Gpu, "GPU", isExactly},
    {Rail::Gpu, "GPU", isPackage},
    {Rail::Gpu, "GPU", isDieOfPackage},
    {Rail::Ane, "ANE", isExactly},
    {Rail::Ane, "ANE", isPackage},
    {Rail::Ane, "ANE", isDieOfPackage},
    {Rail::Dram, "DRAM", isExactly},
    {Rail::Dram, "DRAM", isPackage},
    {Rail::Dram, "DRAM", isDieOfPackage},
}};

} // namespace

std::optional<double> millijoulesPerUnit(std::string_view unit)
{
    unit = trimmed(unit);
    if (unit == "mJ")
        return 1.0;
    if (unit == "uJ" || unit == "\u00b5J" || unit == "\u03bcJ")
        return 1e-3;
    if (unit == "nJ")
        return 1e-6;
    if (unit == "J")
        return 1e3;
    return std::nullopt;
}

PerRail<std::vector<std::size_t>> chooseChannels(const std::vector<EnergyChannel>& channels)
{
    PerRail<std::vector<std::size_t>> chosen;
    for (const Family& family : kFamilies) {
        auto& rail = chosen[family.rail];
        if (rail)
            continue;
        std::vector<std::size_t> members;
        for (std::size_t i = 0; i < channels.size(); ++i) {
            if (family.belongs(trimmed(channels[i].name), family.name)
                && millijoulesPerUnit(channels[i].unit))
                members.push_back(i);
        }
        if (!members.empty())
            rail = std::move(members);
    }
    return chosen;
}

namespace {
constexpr const char* kIoKit = "/System/Library/Frameworks/IOKit.framework/IOKit";
constexpr std::uint32_t kSelector = 2;
constexpr std::uint8_t kReadBytes = 5;
constexpr std::uint8_t kReadInfo = 9;

constexpr std::uint32_t code(std::string_view word)
{
    std::uint32_t value = 0;
    for (const char c : word)
        value = value << 8 | static_cast<std::uint8_t>(c);
    return value;
}

// The task port of this process: a variable of the C library, 0 if it does not exist.
unsigned ownTask()
{
    const auto* task = static_cast<const unsigned*>(::dlsym(RTLD_DEFAULT, "mach_task_self_"));
    return task != nullptr ? *task : 0;
}
} // namespace

Result<std::unique_ptr<Smc>> Smc::open()
{
    auto kit = SharedLibrary::open(pathFrom("EP_IOKIT", kIoKit), "IOKit of macOS",
                                   "the power of the whole machine is missing");
    if (!kit)
        return kit.error();
    std::unique_ptr<Smc> smc(new Smc);
    smc->m_kit = std::move(*kit);
    void* (*matching)(const char*) = nullptr;
    unsigned (*service)(unsigned, const void*) = nullptr;
    int (*openService)(unsigned, unsigned, std::uint32_t, unsigned*) = nullptr;
    int (*releaseObject)(unsigned) = nullptr;
    const SharedLibrary& from = smc->m_kit;
    if (!from.load(matching, "IOServiceMatching")
        || !from.load(service, "IOServiceGetMatchingService")
        || !from.load(openService, "IOServiceOpen") || !from.load(releaseObject, "IOObjectRelease")
        || !from.load(smc->m_close, "IOServiceClose")
        || !from.load(smc->m_call, "IOConnectCallStructMethod"))
        return Error{ErrorCode::Unsupported, "IOKit lacks required functions."};
    const unsigned found = service(0, matching("AppleSMC"));
    unsigned connection = 0;
    const bool opened = found != 0 && openService(found, ownTask(), 0, &connection) == 0;
    if (found != 0)
        releaseObject(found);
    if (!opened)
        return Error{ErrorCode::Unsupported,
                     "This machine has no accessible System Management Controller."};
    smc->m_connection = connection;
    return smc;
}

Smc::~Smc()
{
    if (m_close != nullptr && m_connection != 0)
        m_close(m_connection);
}

bool Smc::call(KeyData& data) const
{
    KeyData answer;
    std::size_t size = sizeof(answer);
    if (m_call(m_connection, kSelector, &data, sizeof(data), &answer, &size) != 0
        || answer.result != 0)
        return false;
    data = answer;
    return true;
}

std::optional<double> Smc::value(std::string_view key)
{
    KeyData info;
    info.key = code(key);
    info.command = kReadInfo;
    if (!call(info) || info.info.type != code("flt ") || info.info.size != sizeof(float))
        return std::nullopt;
    KeyData data;
    data.key = code(key);
    data.info.size = sizeof(float);
    data.command = kReadBytes;
    if (!call(data))
        return std::nullopt;
    float number = 0.0F;
    std::memcpy(&number, data.bytes.data(), sizeof(number));
    return std::isfinite(number) ? std::optional(static_cast<double>(number)) : std::nullopt;
}

std::optional<Milliwatts> Smc::systemPower()
{
    const auto watts = value("PSTR");
    return watts && *watts > 0.0 ? std::optional(Milliwatts{*watts * 1000.0}) : std::nullopt;
}

namespace {

// The thermal pressure that macOS announces to every program (notify(3), key
// com.apple.system.thermalpressurelevel). Unknown elsewhere.
class ThermalNotice {
public:
    // The functions are looked up in this library and its dependencies.
    explicit ThermalNotice(const SharedLibrary& library)
        : m_library(library)
    {
        std::uint32_t (*subscribe)(const char* key, int* token) = nullptr;
        int token = -1;
        if (m_library.load(subscribe, "notify_register_check")
            && m_library.load(m_state, "notify_get_state")
            && m_library.load(m_cancel, "notify_cancel")
            && subscribe("com.apple.system.thermalpressurelevel", &token) == 0)
            m_token = token;
    }

    ~ThermalNotice()
    {
        if (m_token >= 0)
            m_cancel(m_token);
    }

    ThermalNotice(const ThermalNotice&) = delete;
    ThermalNotice& operator=(const ThermalNotice&) = delete;

    ThermalPressure read() const
    {
        // OSThermalPressureLevel of macOS.
        constexpr std::array kLevels{ThermalPressure::Nominal, ThermalPressure::Moderate,
                                     ThermalPressure::Heavy, ThermalPressure::Trapping,
                                     ThermalPressure::Sleeping};
        std::uint64_t level = 0;
        if (m_token < 0 || m_state(m_token, &level) != 0 || level >= kLevels.size())
            return ThermalPressure::Unknown;
        return kLevels[level];
    }

private:
    SharedLibrary m_library;
    std::uint32_t (*m_state)(int token, std::uint64_t* state) = nullptr;
    std::uint32_t (*m_cancel)(int token) = nullptr;
    int m_token = -1; // NOTIFY_TOKEN_INVALID
};

constexpr std::uint32_t kUtf8 = 0x08000100;
constexpr const char* kReportLibrary = "/usr/lib/libIOReport.dylib";
constexpr const char* kFoundation =
    "/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation";
constexpr const char* kOtherSource = "choose another power source";

// The functions used from macOS' private IOReport library and from CoreFoundation, with prototypes
// of our own, opened at run time. Objects of the system are opaque pointers.
class IoReport {
public:
    // Subscribes to the groups "Energy Model" and, for rails missing there, "PMP".
    static Result<std::unique_ptr<IoReport>> open()
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

    ~IoReport()
    {
        if (m_release == nullptr)
            return;
        for (Object* object :
             {&m_last, &m_subscription, &m_subscribed, &m_channels, &m_channelsKey, &m_elementsKey})
            release(*object);
    }

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
    Readings advance()
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

    const SharedLibrary& library() const
    {
        return m_report;
    } // all functions that are needed from the system

private:
    IoReport() = default;
    using Object = const void*;

    bool loadFunctions()
    {
        const SharedLibrary& cf = m_foundation;
        const SharedLibrary& io = m_report;
        return cf.load(m_release, "CFRelease") && cf.load(m_makeString, "CFStringCreateWithCString")
            && cf.load(m_readString, "CFStringGetCString")
            && cf.load(m_valueOf, "CFDictionaryGetValue") && cf.load(m_countOf, "CFArrayGetCount")
            && cf.load(m_itemOf, "CFArrayGetValueAtIndex")
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
    void loadClock()
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

    Status subscribe()
    {
        m_channelsKey = text("IOReportChannels");
        m_elementsKey = text("RawElements");
        Object group = text("Energy Model");
        Object found = m_copyChannels(group, nullptr, 0, 0, 0);
        release(group);
        // The base M1 has some rails in another group.
        const auto rails = found != nullptr ? chooseChannels(channelsOf(found))
                                            : PerRail<std::vector<std::size_t>>{};
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

    // To be released by the caller.
    Object text(const char* words) const { return m_makeString(nullptr, words, kUtf8); }

    std::string read(Object string) const
    {
        std::array<char, 256> buffer{};
        if (string == nullptr
            || m_readString(string, buffer.data(), static_cast<long>(buffer.size()), kUtf8) == 0)
            return {};
        return buffer.data();
    }

    std::vector<EnergyChannel> channelsOf(Object channels) const
    {
        std::vector<EnergyChannel> list;
        const Object items = m_valueOf(channels, m_channelsKey);
        for (long i = 0; items != nullptr && i < m_countOf(items); ++i) {
            const Object item = m_itemOf(items, i);
            list.push_back({read(m_name(item)), read(m_unit(item))});
        }
        return list;
    }

    // The channel's first element, as returned by the kernel (xnu's IOReportElement): provider,
    // channel and type, 8 bytes each, then the time at which the driver set its value.
    std::optional<std::uint64_t> ticksOf(Object item) const
    {
        constexpr std::size_t kOffset = 24;
        std::uint64_t ticks = 0;
        const Object elements = m_tickNs > 0.0 ? m_valueOf(item, m_elementsKey) : nullptr;
        if (elements == nullptr
            || m_lengthOf(elements) < static_cast<long>(kOffset + sizeof(ticks)))
            return std::nullopt;
        std::memcpy(&ticks, m_bytesOf(elements) + kOffset, sizeof(ticks));
        return ticks != 0 ? std::optional(ticks) : std::nullopt;
    }

    void release(Object& object) const
    {
        if (object != nullptr)
            m_release(object);
        object = nullptr;
    }

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

std::vector<EnergyChannel> channelsOf(const std::vector<IoReport::Reading>& readings)
{
    std::vector<EnergyChannel> channels;
    channels.reserve(readings.size());
    for (const IoReport::Reading& reading : readings)
        channels.push_back(reading.channel);
    return channels;
}

// The channels of the rails, always in the same order.
std::vector<CounterReading> countersOf(const std::vector<IoReport::Reading>& readings,
                                       const PerRail<std::vector<std::size_t>>& chosen)
{
    std::vector<CounterReading> counters;
    for (const Rail rail : kPartRails) {
        for (const std::size_t i : chosen[rail].value_or(std::vector<std::size_t>{})) {
            CounterReading counter{.rail = rail, .advance_mj = {}, .timestamp = {}};
            if (i < readings.size()) {
                const auto unit = millijoulesPerUnit(readings[i].channel.unit);
                counter.timestamp = readings[i].timestamp;
                // INT64_MIN (a channel without a value) is negative as well.
                if (unit && readings[i].value >= 0)
                    counter.advance_mj = static_cast<double>(readings[i].value) * *unit;
            }
            counters.push_back(counter);
        }
    }
    return counters;
}

} // namespace

// The system resources that are open while the source runs.
struct IoReportSource::Machine {
    std::unique_ptr<IoReport> report;
    std::unique_ptr<Smc> smc; // null if there is none
    ThermalNotice thermal;
    std::unique_ptr<CpuClock> cpu = machineCpuClock();
    std::optional<CpuTimes> lastCpu{};
    std::optional<Milliwatts> lastSystem{};
    PerRail<std::vector<std::size_t>> chosen{}; // indices of the readings
    std::optional<WindowAssembler> windows{};

    explicit Machine(std::unique_ptr<IoReport> opened)
        : report(std::move(opened))
        , thermal(report->library())
    {
    }

    // Reads the change since the previous call.
    MachineReading look(ReadingCheck& readings)
    {
        MachineReading reading;
        reading.thermal = thermal.read();
        const auto system = smc ? smc->systemPower() : std::nullopt;
        if (smc && !system)
            readings.noteUnreadable("The power of the whole machine (PSTR of the SMC)");
        if (system)
            reading.system_mw = lastSystem ? (*system + *lastSystem) / 2.0 : *system;
        lastSystem = system;
        const auto times = cpu->read();
        if (times && lastCpu && times->total > lastCpu->total) {
            reading.cores_busy = static_cast<float>(times->busy - lastCpu->busy)
                / static_cast<float>(times->total - lastCpu->total);
        }
        lastCpu = times ? std::optional(*times) : std::nullopt;
        return reading;
    }
};

IoReportSource::IoReportSource(QObject* parent)
    : PolledSource(SampleKind::Counter, parent)
{
}

IoReportSource::~IoReportSource() = default;

Message IoReportSource::detail() const
{
    std::string text = "energy counters of the system";
    if (!m_channels.empty())
        text += " (" + m_channels + ")";
    if (m_machine && m_machine->smc)
        text += ", system power from the SMC";
    std::string batched;
    if (m_machine && m_machine->windows) {
        for (const Rail rail : m_machine->windows->railsInBatches())
            batched += (batched.empty() ? "" : ", ") + std::string(name(rail));
    }
    return batched.empty() ? text
                           : text + "; the system publishes " + batched
            + " in batches, within which energy is spread by the load";
}

Status IoReportSource::open()
{
    auto report = IoReport::open();
    if (!report)
        return report.error();
    m_machine = std::make_unique<Machine>(std::move(*report));
    if (auto smc = Smc::open(); smc && (*smc)->systemPower())
        m_machine->smc = std::move(*smc);
    const auto [at, readings] = m_machine->report->advance();
    m_machine->chosen = chooseChannels(channelsOf(readings));
    m_machine->look(m_readings);
    m_machine->windows.emplace(countersOf(readings, m_machine->chosen), at,
                               Nanoseconds{intervalMs()} * 1'000'000);
    for (const Rail rail : kPartRails) {
        for (const std::size_t i : m_machine->chosen[rail].value_or(std::vector<std::size_t>{}))
            m_channels.append(m_channels.empty() ? "" : ", ").append(readings[i].channel.name);
    }
    return {};
}

Result<std::vector<PowerSample>> IoReportSource::readAll(bool last)
{
    const auto [at, readings] = m_machine->report->advance();
    auto samples = m_machine->windows->add(countersOf(readings, m_machine->chosen),
                                           m_machine->look(m_readings), at);
    if (last) {
        for (PowerSample& sample : m_machine->windows->finish(at))
            samples.push_back(std::move(sample));
    }
    // A window without any rail is empty; it becomes a gap.
    const auto dropped = std::erase_if(samples, [](const PowerSample& sample) {
        return std::ranges::none_of(kPartRails,
                                    [&](Rail rail) { return sample.energy_mj[rail].has_value(); });
    });
    m_dropped += static_cast<std::int64_t>(dropped);
    return samples;
}

std::string ioReportCpuTrouble()
{
    constexpr int kRounds = 5;
    constexpr Nanoseconds kRound = 40'000'000;
    auto report = IoReport::open();
    if (!report)
        return {};
    (*report)->advance();
    int moved = 0;
    for (int round = 0; round < kRounds; ++round) {
        // The load that the counter has to show.
        const Nanoseconds end = monotonicNow() + kRound;
        while (monotonicNow() < end) { }
        const auto readings = (*report)->advance().channels;
        const auto counters = countersOf(readings, chooseChannels(channelsOf(readings)));
        double advance = 0.0;
        bool known = false;
        for (const CounterReading& counter : counters) {
            if (counter.rail != Rail::Cpu || !counter.advance_mj)
                continue;
            known = true;
            advance += *counter.advance_mj;
        }
        if (!known)
            return {};
        moved += advance > 0.0 ? 1 : 0;
    }
    return moved == 0 ? "stands still" : moved < kRounds ? "is published in batches" : "";
}

Result<std::vector<Rail>> findIoReportRails()
{
    auto report = IoReport::open();
    if (!report)
        return report.error();
    (*report)->advance();
    const auto readings = (*report)->advance().channels;
    const auto counters = countersOf(readings, chooseChannels(channelsOf(readings)));
    std::vector<Rail> rails;
    for (const Rail rail : kPartRails) {
        const auto belongs = [&](const CounterReading& counter) { return counter.rail == rail; };
        const bool all = std::ranges::all_of(counters, [&](const CounterReading& counter) {
            return !belongs(counter) || counter.advance_mj.has_value();
        });
        if (all && std::ranges::any_of(counters, belongs))
            rails.push_back(rail);
    }
    if (rails.empty())
        return Error{ErrorCode::Unsupported,
                     "The energy counters of this system (IOReport) include no known rail; "
                     "choose the power source powermetrics."};
    if (auto smc = Smc::open(); smc && (*smc)->systemPower())
        rails.push_back(Rail::System);
    return rails;
}

} // namespace ep::power

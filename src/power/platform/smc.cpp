// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform/smc.h"

#include <cmath>
#include <cstring>
#include <dlfcn.h>

namespace ep::power {

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

std::optional<Milliwatts> Smc::batteryPower()
{
    const auto watts = value("PPBR");
    return watts ? std::optional(Milliwatts{*watts * 1000.0}) : std::nullopt;
}

} // namespace ep::power

// SPDX-License-Identifier: GPL-3.0-or-later
// A library with the calls of NVIDIA's management library, for machines without one. The
// environment variable EP_FAKE_NVML sets its scenario as words separated by blanks:
//   devices=N init=CODE energy=CODE (returned by that call) instant=0 frozen
//   reset=MJ (a counter that reaches MJ restarts at 0)
//   lost=INDEX (a device that has fallen off the bus) stuck=INDEX (its counter does not advance)
//   power=MW (the slow mean)
// Each energy reading advances the counter of its device by 2000 mJ + 100 x index.
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

std::string setting(const std::string& name, const std::string& otherwise)
{
    const char* words = std::getenv("EP_FAKE_NVML");
    const std::string text = words != nullptr ? " " + std::string(words) + " " : "  ";
    const auto at = text.find(" " + name + "=");
    if (at == std::string::npos)
        return text.find(" " + name + " ") != std::string::npos ? "1" : otherwise;
    const auto begin = at + name.size() + 2;
    return text.substr(begin, text.find(' ', begin) - begin);
}

std::array<unsigned long long, 8> counters{};
std::array<char, 8> handles{};

std::size_t indexOf(void* device)
{
    return static_cast<std::size_t>(static_cast<char*>(device) - handles.data());
}

struct FieldValue {
    unsigned field_id;
    unsigned scope_id;
    long long timestamp;
    long long latency_us;
    int value_type;
    int status;
    union {
        double as_double;
        unsigned as_uint;
        unsigned long long as_ulonglong;
    } value;
};

} // namespace

extern "C" {

int nvmlInit_v2()
{
    counters = {};
    return std::atoi(setting("init", "0").c_str());
}
int nvmlShutdown()
{
    return 0;
}
const char* nvmlErrorString(int status)
{
    return status == 9 ? "Driver Not Loaded" : status == 3 ? "Not Supported" : "Unknown Error";
}
int nvmlDeviceGetCount_v2(unsigned* count)
{
    *count = static_cast<unsigned>(std::atoi(setting("devices", "1").c_str()));
    return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device)
{
    if (index >= handles.size())
        return 2;
    if (static_cast<int>(index) == std::atoi(setting("lost", "-1").c_str()))
        return 15;
    *device = handles.data() + index;
    return 0;
}
int nvmlDeviceGetName(void* device, char* name, unsigned length)
{
    const std::string text = "Fake GPU " + std::to_string(indexOf(device));
    std::strncpy(name, text.c_str(), length);
    return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* energy)
{
    const std::size_t index = indexOf(device);
    if (setting("frozen", "0") == "0"
        && static_cast<int>(index) != std::atoi(setting("stuck", "-1").c_str()))
        counters[index] += 2000 + 100 * index;
    if (const int end = std::atoi(setting("reset", "0").c_str());
        end > 0 && counters[index] >= static_cast<unsigned long long>(end))
        counters[index] = 0;
    *energy = counters[index];
    return std::atoi(setting("energy", "0").c_str());
}
int nvmlDeviceGetPowerUsage(void*, unsigned* power)
{
    *power = static_cast<unsigned>(std::strtoul(setting("power", "70000").c_str(), nullptr, 10));
    return 0;
}
int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* limit)
{
    *limit = 300'000;
    return 0;
}
int nvmlDeviceGetFieldValues(void*, int count, FieldValue* values)
{
    for (int i = 0; i < count; ++i) {
        values[i].status = setting("instant", "1") == "0" || values[i].field_id != 186 ? 3 : 0;
        values[i].value_type = 1;
        values[i].value.as_uint = 90'000;
    }
    return 0;
}

} // extern "C"

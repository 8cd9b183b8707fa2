// SPDX-License-Identifier: GPL-3.0-or-later
// One library with the used calls of IOReport, CoreFoundation and IOKit (for the SMC), for systems
// other than macOS. The environment variable EP_FAKE_IOREPORT names a scenario:
//   m3        CPU, GPU (nJ and mJ twin), ANE, DRAM, and things that must not be counted
//   ultra     per-die families only
//   m1        no CPU and DRAM in "Energy Model", both in the group "PMP"
//   a18       only GPU holds values, the rest INT64_MIN
//   batched   CPU, ANE and DRAM advance only at every fourth sample, and are stamped only then
//   unstamped the same without timestamps
//   frozen    CPU holds a value that never advances
//   empty     no channels at all;  refused  no subscription
// EP_FAKE_SMC: watts of PSTR; unset: no controller.
// EP_FAKE_THERMAL: level of the thermal pressure; unset: the system announces none.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

struct Thing { // every object of the fake system
    std::string text; // text of strings; name of channels
    std::string unit;
    std::int64_t value = 0;
    std::vector<Thing*> items; // of arrays, and of dictionaries that contain an array
    int sample = 0;
    std::uint64_t timestamp = 0; // in ticks: when the value was set
};

// Never freed individually, since items are shared. Freed with the library.
Thing* make(Thing thing = {})
{
    static std::deque<Thing> all;
    return &all.emplace_back(std::move(thing));
}

std::string scenario()
{
    const char* name = std::getenv("EP_FAKE_IOREPORT");
    return name != nullptr ? name : "m3";
}

// Name, unit, step per sample.
struct Channel {
    const char* name;
    const char* unit;
    std::int64_t step;
};

std::vector<Channel> channelsOf(const std::string& group)
{
    const std::string kind = scenario();
    if (kind == "empty")
        return {};
    if (group == "PMP")
        return kind == "m1" ? std::vector<Channel>{{"CPU Energy", "mJ", 70}, {"DRAM", "mJ", 15}}
                            : std::vector<Channel>{};
    if (kind == "ultra")
        return {{"DIE_0_CPU Energy", "mJ", 100},
                {"DIE_1_CPU Energy", " mJ ", 50},
                {"DIE_0_ECPU0", "mJ", 900},
                {"GPU0_0", "mJ", 30},
                {"GPU Energy", "nJ", 70'000'000},
                {"ANE0_0", "mJ", 1},
                {"ANE0_1", "mJ", 2},
                {"DRAM0_0", "mJ", 8},
                {"DRAM0_1", "mJ", 9},
                {"AMCC0", "mJ", 500}};
    if (kind == "m1")
        return {{"GPU Energy", "nJ", 40'000'000}, {"ANE", "mJ", 0}};
    if (kind == "a18")
        return {
            {"CPU Energy", "mJ", kNone}, {"GPU Energy", "nJ", 5'000'000}, {"DRAM", "mJ", kNone}};
    return {{"CPU Energy", "mJ", kind == "frozen" ? 0 : 120},
            {"PACC_0_CPU Energy", "mJ", 80},
            {"GPU Energy", "nJ", 250'000'000},
            {"GPU", "mJ", 245},
            {"GPU SRAM0", "mJ", 15},
            {"ANE", "mJ", 3},
            {"ANE0", "mJ", 3},
            {"DRAM", "mJ", 40},
            {"DCS0", "mJ", 20},
            {"PCIe Port 0", "uJ", 999},
            {"Odd", "parsecs", 12}};
}

Thing* dictionaryOf(const std::vector<Channel>& channels)
{
    Thing* list = make();
    for (const Channel& channel : channels)
        list->items.push_back(make({channel.name, channel.unit, channel.step, {}, 0, 0}));
    Thing* dictionary = make();
    dictionary->items = {list};
    return dictionary;
}

const Thing* thing(const void* object)
{
    return static_cast<const Thing*>(object);
}

int samples = 0;
std::uint64_t lastBatch = 0; // in ticks

bool isBatched()
{
    return scenario() == "batched" || scenario() == "unstamped";
}

} // namespace

extern "C" {

// CoreFoundation
void CFRelease(const void*) { }
const void* CFStringCreateWithCString(const void*, const char* text, std::uint32_t)
{
    return make({text, {}, 0, {}, 0, 0});
}
unsigned char CFStringGetCString(const void* string, char* buffer, long size, std::uint32_t)
{
    const std::string& text = thing(string)->text;
    if (static_cast<long>(text.size()) >= size)
        return 0;
    std::memcpy(buffer, text.c_str(), text.size() + 1);
    return 1;
}
const void* CFDictionaryGetValue(const void* dictionary, const void* key)
{
    if (thing(key)->text == "RawElements" && thing(dictionary)->timestamp != 0) {
        // provider, channel, type, timestamp, and four values
        std::uint64_t element[8] = {1, 2, 3, thing(dictionary)->timestamp, 0, 0, 0, 0};
        return make({std::string(reinterpret_cast<const char*>(element), sizeof(element)),
                     {},
                     0,
                     {},
                     0,
                     0});
    }
    if (thing(key)->text != "IOReportChannels" || thing(dictionary)->items.empty())
        return nullptr;
    return thing(dictionary)->items.front();
}
const unsigned char* CFDataGetBytePtr(const void* data)
{
    return reinterpret_cast<const unsigned char*>(thing(data)->text.data());
}
long CFDataGetLength(const void* data)
{
    return static_cast<long>(thing(data)->text.size());
}
long CFArrayGetCount(const void* array)
{
    return static_cast<long>(thing(array)->items.size());
}
const void* CFArrayGetValueAtIndex(const void* array, long index)
{
    return thing(array)->items[static_cast<std::size_t>(index)];
}
const void* CFDictionaryCreateMutableCopy(const void*, long, const void* dictionary)
{
    return make(*thing(dictionary));
}

// The system's library. As on Apple Silicon, a tick lasts 125/3 ns.
std::uint64_t mach_absolute_time()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(
               std::chrono::duration_cast<std::chrono::nanoseconds>(now).count())
        * 3 / 125;
}
int mach_timebase_info(std::uint32_t* base)
{
    base[0] = 125;
    base[1] = 3;
    return 0;
}
std::uint32_t notify_register_check(const char* key, int* token)
{
    *token = 5;
    return std::strcmp(key, "com.apple.system.thermalpressurelevel") == 0 ? 0 : 1;
}
std::uint32_t notify_get_state(int token, std::uint64_t* state)
{
    const char* level = std::getenv("EP_FAKE_THERMAL");
    if (token != 5 || level == nullptr)
        return 1;
    *state = static_cast<std::uint64_t>(std::atoi(level));
    return 0;
}
std::uint32_t notify_cancel(int)
{
    return 0;
}

// IOReport
const void* IOReportCopyChannelsInGroup(const void* group, const void*, std::uint64_t,
                                        std::uint64_t, std::uint64_t)
{
    const auto channels = channelsOf(thing(group)->text);
    return channels.empty() ? nullptr : dictionaryOf(channels);
}
void IOReportMergeChannels(const void* into, const void* other, const void*)
{
    auto& list = thing(into)->items.front()->items;
    const auto& more = thing(other)->items.front()->items;
    list.insert(list.end(), more.begin(), more.end());
}
const void* IOReportCreateSubscription(const void*, const void* channels, const void** subscribed,
                                       std::uint64_t, const void*)
{
    if (scenario() == "refused")
        return nullptr;
    samples = 0;
    *subscribed = channels;
    return make();
}
const void* IOReportCreateSamples(const void*, const void* channels, const void*)
{
    Thing* sample = make(*thing(channels));
    sample->sample = ++samples;
    const std::uint64_t now = mach_absolute_time();
    if (samples == 1 || samples % 4 == 0)
        lastBatch = now;
    Thing* list = make();
    for (const Thing* channel : sample->items.front()->items) {
        Thing* item = make(*channel);
        const bool live = !isBatched() || channel->unit == "nJ";
        item->timestamp = scenario() == "unstamped" ? 0 : live ? now : lastBatch;
        list->items.push_back(item);
    }
    sample->items = {list};
    return sample;
}
const void* IOReportCreateSamplesDelta(const void*, const void* after, const void*)
{
    const Thing* now = thing(after);
    Thing* list = make();
    for (const Thing* channel : now->items.front()->items) {
        Thing* item = make(*channel);
        const bool live = channel->unit == "nJ";
        if (isBatched() && !live && item->value != kNone)
            item->value = now->sample % 4 == 0 ? 4 * item->value : 0;
        list->items.push_back(item);
    }
    Thing* delta = make();
    delta->items = {list};
    return delta;
}
const void* IOReportChannelGetChannelName(const void* item)
{
    return item;
}
const void* IOReportChannelGetUnitLabel(const void* item)
{
    return make({thing(item)->unit, {}, 0, {}, 0, 0});
}
std::int64_t IOReportSimpleGetIntegerValue(const void* item, std::int32_t)
{
    return thing(item)->value;
}

// IOKit
void* IOServiceMatching(const char* name)
{
    return make({name, {}, 0, {}, 0, 0});
}
unsigned IOServiceGetMatchingService(unsigned, const void* matching)
{
    return std::getenv("EP_FAKE_SMC") != nullptr && thing(matching)->text == "AppleSMC" ? 7 : 0;
}
int IOServiceOpen(unsigned service, unsigned, std::uint32_t, unsigned* connection)
{
    *connection = service + 1;
    return 0;
}
int IOServiceClose(unsigned)
{
    return 0;
}
int IOObjectRelease(unsigned)
{
    return 0;
}
// The byte layout of the controller's driver: key at 0, size at 28, type at 32, result at 40,
// command at 42, data at 48.
int IOConnectCallStructMethod(unsigned, std::uint32_t selector, const void* input, std::size_t size,
                              void* output, std::size_t* outputSize)
{
    if (selector != 2 || size != 80 || *outputSize != 80)
        return 1;
    const auto* in = static_cast<const unsigned char*>(input);
    auto* out = static_cast<unsigned char*>(output);
    std::uint32_t key = 0;
    std::memcpy(&key, in, sizeof(key));
    std::memset(out, 0, 80);
    const char* watts = std::getenv("EP_FAKE_SMC");
    if (key != 0x50535452 || watts == nullptr) { // "PSTR"
        out[40] = 0x84; // no such key
        return 0;
    }
    if (in[42] == 9) {
        const std::uint32_t length = 4;
        const std::uint32_t type = 0x666c7420; // "flt "
        std::memcpy(out + 28, &length, sizeof(length));
        std::memcpy(out + 32, &type, sizeof(type));
    } else if (in[42] == 5) {
        const auto value = static_cast<float>(std::atof(watts));
        std::memcpy(out + 48, &value, sizeof(value));
    }
    return 0;
}

} // extern "C"

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Documents as `powermetrics -f plist` prints them, for tests: no indentation, energy keys of
// `processor` on lines of their own, duplicate keys in `gpu`, reals with six digits.
namespace ep::test {

enum class FakeSystem {
    AppleSilicon, // macOS 13 and later
    MacOs12, // Apple Silicon with DRAM and package, without the combined power
    Intel, // has package_joules and package_watts
    VirtualMachine, // a processor without energies
    Unsupported, // no processor at all
};

// What the machine did in one window.
struct FakeWindow {
    std::int64_t elapsed_ns = 100'000'000;
    std::int64_t cpu_mj = 0;
    std::int64_t gpu_mj = 0;
    std::int64_t ane_mj = 0;
    std::int64_t dram_mj = 0; // MacOs12 only
    std::int64_t package_mj = 0; // MacOs12, Intel
    double busy = 0.0; // share of time in which the cores ran
    std::int64_t time_s = 1'700'000'000; // since 1970
    bool is_delta = true;
};

struct FakeSections {
    bool processor = true; // output of sampler cpu_power
    bool gpu = true; // output of sampler gpu_power
    bool thermal = true;
};

// One document with its final newline, without the NUL that separates documents.
std::string fakeDocument(const FakeWindow& window, FakeSystem system = FakeSystem::AppleSilicon,
                         const FakeSections& sections = {});

// Documents with a NUL before each one but the first, as the tool writes them to a file.
std::string fakeStream(const std::vector<FakeWindow>& windows,
                       FakeSystem system = FakeSystem::AppleSilicon);

} // namespace ep::test

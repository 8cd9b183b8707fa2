// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Documents as `powermetrics -f plist` prints them, for tests: no indentation, energy keys of
// `processor` on lines of their own, keys twice in `gpu`, reals with six digits.
namespace ep::test {

enum class FakeSystem {
    AppleSilicon, // macOS 13 and later
    MacOs12, // Apple Silicon with DRAM and package, without the combined power
    Intel, // package_joules and package_watts
    VirtualMachine, // a processor without energies
    Unsupported, // no processor
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
    bool processor = true; // sampler cpu_power
    bool gpu = true; // sampler gpu_power
    bool thermal = true;
};

// One document, ending with its newline; without the NUL between two.
std::string fakeDocument(const FakeWindow& window, FakeSystem system = FakeSystem::AppleSilicon,
                         const FakeSections& sections = {});

// Documents with a NUL in front of each but the first, as the tool writes them to a file.
std::string fakeStream(const std::vector<FakeWindow>& windows,
                       FakeSystem system = FakeSystem::AppleSilicon);

} // namespace ep::test

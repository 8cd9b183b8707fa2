// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_powermetrics_document.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace ep::test {

namespace {

class Plist {
public:
    void line(const std::string& text) { m_text += text + "\n"; }
    void integer(const char* key, std::int64_t value)
    {
        line(keyTag(key) + "<integer>" + std::to_string(value) + "</integer>");
    }
    void real(const char* key, double value)
    {
        line(keyTag(key) + "<real>" + digits(value) + "</real>");
    }
    void string(const char* key, const std::string& value)
    {
        line(keyTag(key) + "<string>" + value + "</string>");
    }
    void truth(const char* key, bool value)
    {
        line(keyTag(key) + (value ? "<true/>" : "<false/>"));
    }
    // The energies in `processor`: key and value on one line.
    void energy(const char* name, std::int64_t millijoules, std::int64_t elapsedNs)
    {
        line(keyTag((std::string(name) + "_energy").c_str()));
        line("<integer>" + std::to_string(millijoules) + "</integer>");
        power(name, millijoules, elapsedNs);
    }
    void power(const char* name, std::int64_t millijoules, std::int64_t elapsedNs)
    {
        line(keyTag((std::string(name) + "_power").c_str()));
        line("<real>"
             + digits(static_cast<double>(millijoules) * 1e9 / static_cast<double>(elapsedNs))
             + "</real>");
    }
    std::string take() { return std::move(m_text); }

private:
    static std::string keyTag(const char* key) { return "<key>" + std::string(key) + "</key>"; }
    static std::string digits(double value)
    {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "%g", value);
        return text.data();
    }
    std::string m_text;
};

std::string utc(std::int64_t seconds)
{
    const auto time = static_cast<std::time_t>(seconds);
    std::tm parts{};
    gmtime_r(&time, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

void idle(Plist& out, const FakeWindow& window)
{
    const auto idleNs = static_cast<double>(window.elapsed_ns) * (1.0 - window.busy);
    out.integer("idle_ns", static_cast<std::int64_t>(idleNs));
    out.real("idle_ratio", 1.0 - window.busy);
}

void frequencies(Plist& out, const FakeWindow& window, const std::array<int, 3>& frequencies)
{
    out.line("<key>dvfm_states</key>\n<array>");
    for (const int frequency : frequencies) {
        out.line("<dict>");
        out.integer("freq", frequency);
        out.integer("used_ns", window.elapsed_ns / 3);
        out.real("used_ratio", 1.0 / 3.0);
        out.line("</dict>");
    }
    out.line("</array>");
}

void cluster(Plist& out, const FakeWindow& window, const char* name, int firstCpu)
{
    constexpr std::array<int, 3> kStates = {600, 972, 2064};
    out.line("<dict>");
    out.string("name", name);
    out.truth("hw_resid_counters", true);
    out.real("freq_hz", 1.02287e9);
    idle(out, window);
    frequencies(out, window, kStates);
    out.line("<key>cpus</key>\n<array>");
    for (int cpu = firstCpu; cpu < firstCpu + 2; ++cpu) {
        out.line("<dict>");
        out.integer("cpu", cpu);
        out.real("freq_hz", 1.04615e9);
        idle(out, window);
        frequencies(out, window, kStates);
        out.line("</dict>");
    }
    out.line("</array>\n</dict>");
}

void processor(Plist& out, const FakeWindow& window, FakeSystem system)
{
    out.line("<key>processor</key>\n<dict>");
    if (system == FakeSystem::Intel) {
        const auto joules = static_cast<double>(window.package_mj) / 1000.0;
        out.real("package_joules", joules);
        out.real("package_watts", joules * 1e9 / static_cast<double>(window.elapsed_ns));
        out.real("freq_hz", 2.6e9);
        out.line("<key>packages</key>\n<array>\n</array>\n</dict>");
        return;
    }
    out.line("<key>clusters</key>\n<array>");
    cluster(out, window, "E-Cluster", 0);
    cluster(out, window, "P-Cluster", 2);
    out.line("</array>");
    if (system != FakeSystem::VirtualMachine) {
        out.energy("cpu", window.cpu_mj, window.elapsed_ns);
        out.energy("gpu", window.gpu_mj, window.elapsed_ns);
        out.energy("ane", window.ane_mj, window.elapsed_ns);
    }
    if (system == FakeSystem::MacOs12) {
        out.energy("dram", window.dram_mj, window.elapsed_ns);
        out.energy("package", window.package_mj, window.elapsed_ns);
    } else if (system == FakeSystem::AppleSilicon) {
        out.power("combined", window.cpu_mj + window.gpu_mj + window.ane_mj, window.elapsed_ns);
    }
    out.line("</dict>");
}

void gpu(Plist& out, const FakeWindow& window)
{
    out.line("<key>gpu</key>\n<dict>");
    out.real("freq_hz", 714.836);
    idle(out, window);
    frequencies(out, window, {396, 1182, 1182});
    out.line("<key>sw_state</key>\n<array>\n<dict>");
    out.string("sw_state", "SW_P1");
    out.integer("used_ns", window.elapsed_ns);
    out.real("used_ratio", 1);
    out.line("</dict>\n</array>");
    idle(out, window);
    // Sampled at a different instant than `processor`, so the figure differs.
    out.integer("gpu_energy", window.gpu_mj + window.gpu_mj / 80);
    out.line("</dict>");
}

} // namespace

std::string fakeDocument(const FakeWindow& window, FakeSystem system, const FakeSections& sections)
{
    Plist out;
    out.line(R"(<?xml version="1.0" encoding="UTF-8"?>)");
    out.line(R"(<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" )"
             R"("http://www.apple.com/DTDs/PropertyList-1.0.dtd">)");
    out.line(R"(<plist version="1.0">)");
    out.line("<dict>");
    out.truth("is_delta", window.is_delta);
    out.integer("elapsed_ns", window.elapsed_ns);
    out.string("hw_model", "Fake1,1");
    out.string("kern_osversion", system == FakeSystem::MacOs12 ? "21G115" : "24F74");
    out.string("kern_bootargs", "");
    out.integer("kern_boottime", 1'699'990'000);
    out.line("<key>timestamp</key><date>" + utc(window.time_s) + "</date>");
    if (sections.processor && system != FakeSystem::Unsupported)
        processor(out, window, system);
    if (sections.thermal)
        out.string("thermal_pressure", "Nominal");
    if (sections.gpu && system != FakeSystem::Intel && system != FakeSystem::Unsupported
        && system != FakeSystem::VirtualMachine)
        gpu(out, window);
    out.line("</dict>");
    out.line("</plist>");
    return out.take();
}

std::string fakeStream(const std::vector<FakeWindow>& windows, FakeSystem system)
{
    std::string stream;
    for (const auto& window : windows) {
        if (!stream.empty())
            stream.push_back('\0');
        stream += fakeDocument(window, system);
    }
    return stream;
}

} // namespace ep::test

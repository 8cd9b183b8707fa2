// SPDX-License-Identifier: GPL-3.0-or-later
#include "log_forms.h"

#include <cstdio>
#include <numeric>

namespace ep::powerlog::test {

namespace {

constexpr std::size_t kRows = 48;
constexpr double kEpoch = 1'795'592'141.0; // 2026-11-25 07:35:41 UTC

std::string clockText(double seconds, const char* format, bool millis)
{
    const auto whole = static_cast<long>(seconds);
    const long day = 7 * 3600 + 35 * 60 + 41 + whole;
    char text[64];
    std::snprintf(text, sizeof text, format, day / 3600, day / 60 % 60, day % 60);
    std::string out = text;
    if (millis) {
        std::snprintf(text, sizeof text, ".%03d",
                      static_cast<int>((seconds - static_cast<double>(whole)) * 1000.0 + 0.5));
        out += text;
    }
    return out;
}

MadeLog table(const char* form, std::vector<std::string> header, char delimiter = ',')
{
    MadeLog log;
    log.form = form;
    log.delimiter = delimiter;
    log.rows.push_back(std::move(header));
    return log;
}

MadeLog nvidiaUnits(Dice& dice)
{
    MadeLog log =
        table("nvidia-smi", {"timestamp", " index", " power.draw [W]", " power.limit [W]"});
    log.values = {2};
    log.step_s = 0.25;
    const auto watts = powersOf(dice, kRows, 60, 300);
    for (std::size_t i = 0; i < kRows; ++i)
        log.rows.push_back(
            {"2026/11/25 " + clockText(static_cast<double>(i) * 0.25, "%02ld:%02ld:%02ld", true),
             " 0", " " + fixed(watts[i], 2) + " W", " 400.00 W"});
    log.truths = {{"gpu", trapezoid(watts, 0.25)}};
    return log;
}

MadeLog secondsWatts(Dice& dice)
{
    MadeLog log = table("seconds", {"time_s", "power_w", "temperature_c"});
    log.values = {1};
    const auto watts = powersOf(dice, kRows, 40, 90);
    for (std::size_t i = 0; i < kRows; ++i)
        log.rows.push_back({std::to_string(i), fixed(watts[i], 2), "41"});
    log.truths = {{"power", trapezoid(watts, 1.0)}};
    return log;
}

MadeLog epochMilliwatts(Dice& dice)
{
    MadeLog log = table("epoch", {"timestamp", "cpu_power_mw", "gpu_power_mw"});
    log.values = {1, 2};
    const auto cpu = powersOf(dice, kRows, 2, 9);
    const auto gpu = powersOf(dice, kRows, 3, 24);
    for (std::size_t i = 0; i < kRows; ++i)
        log.rows.push_back({fixed(kEpoch + static_cast<double>(i), 1), fixed(cpu[i] * 1e3, 0),
                            fixed(gpu[i] * 1e3, 0)});
    log.truths = {{"cpu", trapezoid(cpu, 1.0)}, {"gpu", trapezoid(gpu, 1.0)}};
    return log;
}

MadeLog german(Dice& dice)
{
    MadeLog log = table("german", {"Zeit", "Leistung [W]", "Energie [kWh]"}, ';');
    log.values = {1};
    const auto watts = powersOf(dice, kRows, 500, 2500);
    for (std::size_t i = 0; i < kRows; ++i) {
        std::string cell = fixed(watts[i], 1);
        cell[cell.size() - 2] = ',';
        if (watts[i] >= 1000.0)
            cell.insert(cell.size() - 5, ".");
        log.rows.push_back(
            {"25.11.2026 " + clockText(static_cast<double>(i), "%02ld:%02ld:%02ld", false), cell,
             "1,0"});
    }
    log.truths = {{"wall", trapezoid(watts, 1.0)}};
    return log;
}

MadeLog energiBridge(Dice& dice)
{
    MadeLog log = table("energibridge", {"Delta", "Time", "CPU_USAGE_0", "SYSTEM_POWER (Watts)"});
    log.time = 1;
    log.values = {3};
    log.step_s = 0.1;
    const auto watts = powersOf(dice, kRows, 10, 40);
    for (std::size_t i = 0; i < kRows; ++i)
        log.rows.push_back({"100", fixed(kEpoch * 1e3 + static_cast<double>(i) * 100.0, 0), "12.5",
                            fixed(watts[i], 6)});
    log.truths = {{"SYSTEM_POWER (Watts)", sumOf(watts, 0.1)}};
    return log;
}

MadeLog counters(Dice& dice)
{
    MadeLog log = table("counter", {"Delta", "Time", "PACKAGE_ENERGY (J)", "DRAM_ENERGY (J)"});
    log.time = 1;
    log.values = {2, 3};
    log.step_s = 0.1;
    const auto package = powersOf(dice, kRows, 20, 90);
    const auto dram = powersOf(dice, kRows, 3, 6);
    // Half of the packages begin again at zero, as 32 bits of 2^-14 J do.
    const double range = 262'144.0;
    double energy = dice.once(2) ? range - 100.0 : 7'000.0;
    double memory = 1'000.0;
    double truth = 0.0;
    double memoryTruth = 0.0;
    for (std::size_t i = 0; i < kRows; ++i) {
        log.rows.push_back({"100", fixed(kEpoch * 1e3 + static_cast<double>(i) * 100.0, 0),
                            fixed(energy, 4), fixed(memory, 4)});
        if (i + 1 == kRows)
            break;
        truth += package[i] * 0.1;
        memoryTruth += dram[i] * 0.1;
        energy += package[i] * 0.1;
        memory += dram[i] * 0.1;
        energy -= energy >= range ? range : 0.0;
    }
    log.truths = {{"PACKAGE_ENERGY (J)", truth}, {"DRAM_ENERGY (J)", memoryTruth}};
    return log;
}

MadeLog perf(Dice& dice)
{
    MadeLog log = table("perf", {"# started"});
    log.values = {1};
    const auto watts = powersOf(dice, kRows, 10, 30);
    for (std::size_t i = 0; i < kRows; ++i)
        log.rows.push_back({fixed(static_cast<double>(i) + 1.0, 9), fixed(watts[i], 2), "Joules",
                            "power/energy-pkg/", "1000", "100.00", "", ""});
    log.truths = {{"energy-pkg", sumOf(watts, 1.0)}};
    return log;
}

MadeLog turbostat(Dice& dice)
{
    const bool joules = dice.once(2);
    MadeLog log = table(
        "turbostat",
        {"Core", "CPU", "Busy%", joules ? "Pkg_J" : "PkgWatt", joules ? "Cor_J" : "CorWatt"}, '\t');
    log.values = {3};
    log.options.period_s = 2.0;
    const auto watts = powersOf(dice, kRows, 12, 60);
    for (std::size_t i = 0; i < kRows; ++i) {
        const std::string value = fixed(watts[i] * (joules ? 2.0 : 1.0), 2);
        log.rows.push_back({"-", "-", "3.10", value, fixed(watts[i] * (joules ? 1.0 : 0.5), 2)});
        log.rows.push_back({"0", "0", "3.10", value, "1.00"});
    }
    log.truths = {{joules ? "Pkg_J" : "PkgWatt", sumOf(watts, 2.0)}};
    return log;
}

MadeLog hwinfo(Dice& dice)
{
    static const char* const kLanguages[][3] = {
        {"Date", "Time", "CPU Package Power [W]"}, {"Datum", "Zeit", "CPU-Gesamtleistung [W]"},
        {"日期", "时间", "CPU 封装功率 [W]"},      {"日付", "時刻", "CPU パッケージ電力 [W]"},
        {"Date", "Heure", "Puissance du CPU [W]"}, {"Fecha", "Hora", "Potencia de la CPU [W]"},
        {"Data", "Hora", "Potência da CPU [W]"},   {"Дата", "Время", "Мощность ЦП [W]"}};
    const auto& words = kLanguages[dice.below(std::size(kLanguages))];
    MadeLog log = table("hwinfo", {words[0], words[1], "Vcore [V]", words[2], "GPU Temp [C]"});
    log.time = 1;
    log.values = {3};
    const auto watts = powersOf(dice, kRows, 15, 85);
    for (std::size_t i = 0; i < kRows; ++i)
        log.rows.push_back({"25.11.2026",
                            clockText(static_cast<double>(i), "%ld:%02ld:%02ld", true), "1.125",
                            fixed(watts[i], 3), "41.0"});
    log.truths = {{"", trapezoid(watts, 1.0)}};
    return log;
}

MadeLog gpuZ(Dice& dice)
{
    MadeLog log = table("gpu-z",
                        {"Date ", " GPU Clock [MHz] ", " Board Power Draw [W] ",
                         " GPU Chip Power Draw [W] ", " 8-Pin #1 Power [W] ", " "});
    log.values = {2, 3};
    const auto watts = powersOf(dice, kRows, 60, 300);
    for (std::size_t i = 0; i < kRows; ++i)
        log.rows.push_back(
            {"2026-11-25 " + clockText(static_cast<double>(i), "%02ld:%02ld:%02ld", false) + " ",
             "   2520.0   ", "   " + fixed(watts[i], 1) + "   ",
             "   " + fixed(watts[i] * 0.7, 1) + "   ", "   0.0   ", ""});
    log.truths = {{"board draw", trapezoid(watts, 1.0)},
                  {"gpu chip draw", 0.7 * trapezoid(watts, 1.0)}};
    return log;
}

MadeLog longForm(Dice& dice)
{
    MadeLog log = table("long", {"time_s", "sensor", "power_w"});
    log.values = {2};
    const auto cpu = powersOf(dice, kRows, 20, 80);
    const auto dram = powersOf(dice, kRows / 4, 3, 6);
    for (std::size_t i = 0; i < kRows; ++i) {
        log.rows.push_back({std::to_string(i), "cpu", fixed(cpu[i], 2)});
        if (i % 4 == 0)
            log.rows.push_back({std::to_string(i), "dram", fixed(dram[i / 4], 2)});
    }
    log.truths = {{"cpu", trapezoid(cpu, 1.0)}, {"dram", trapezoid(dram, 4.0)}};
    return log;
}

MadeLog homeAssistant(Dice& dice)
{
    MadeLog log = table("home-assistant", {"entity_id", "state", "last_changed"});
    log.time = 2;
    log.values = {1};
    log.options.unit = "W";
    const auto watts = powersOf(dice, kRows, 50, 250);
    for (std::size_t i = 0; i < kRows; ++i)
        log.rows.push_back(
            {"sensor.rig_power", fixed(watts[i], 1),
             "2026-11-25T" + clockText(static_cast<double>(i), "%02ld:%02ld:%02ld", true) + "Z"});
    double held = 0.0;
    for (std::size_t i = 0; i + 1 < kRows; ++i)
        held += watts[i];
    log.truths = {{"sensor.rig_power", held}};
    return log;
}

MadeLog rapl(Dice& dice)
{
    MadeLog log = table("rapl", {""}, ' ');
    log.values = {1};
    const auto watts = powersOf(dice, kRows, 5, 30);
    for (std::size_t i = 0; i < kRows; ++i)
        log.rows.push_back({fixed((kEpoch + static_cast<double>(i)) * 1e6, 0),
                            fixed(watts[i] * 1e6, 0), "Package_0"});
    log.truths = {{"Package_0", sumOf(watts, 1.0)}};
    return log;
}

} // namespace

std::string fixed(double value, int decimals)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::vector<double> powersOf(Dice& dice, std::size_t rows, double low, double high)
{
    std::vector<double> watts;
    for (std::size_t i = 0; i < rows; ++i) {
        const bool loaded = i >= rows / 4 && i < rows * 3 / 4;
        const double noise = 0.96 + 0.08 * static_cast<double>(dice.below(1000)) / 1000.0;
        watts.push_back((loaded ? high : low) * noise);
    }
    return watts;
}

double trapezoid(const std::vector<double>& watts, double step_s)
{
    return sumOf(watts, step_s) - (watts.front() + watts.back()) / 2.0 * step_s;
}

double sumOf(const std::vector<double>& watts, double step_s)
{
    return std::accumulate(watts.begin(), watts.end(), 0.0) * step_s;
}

std::string MadeLog::text() const
{
    std::string text = before;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += (i > 0 ? std::string(1, delimiter) : "") + row[i];
        text += '\n';
    }
    return text;
}

std::vector<LogForm> logForms()
{
    return {{"nvidia-smi", nvidiaUnits},
            {"seconds", secondsWatts},
            {"epoch", epochMilliwatts},
            {"german", german},
            {"energibridge", energiBridge},
            {"counter", counters},
            {"perf", perf},
            {"turbostat", turbostat},
            {"hwinfo", hwinfo},
            {"gpu-z", gpuZ},
            {"long", longForm},
            {"home-assistant", homeAssistant},
            {"rapl", rapl}};
}

} // namespace ep::powerlog::test

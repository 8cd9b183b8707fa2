// SPDX-License-Identifier: GPL-3.0-or-later
// What rails are, by their names and numbers, and what numbers mean, by all rows of a file.
#include "powerlog/read_text.h"
#include "rails.h"
#include "support/folders.h"

#include "ep/powerlog/read.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace ep::powerlog {
namespace {

std::string rowsOf(const std::string& header, const std::string& row, int rows)
{
    std::string text = header + '\n';
    for (int i = 0; i < rows; ++i)
        text += std::to_string(1'795'592'141 + i) + row + '\n';
    return text;
}

TEST(Rails, AreWhatTheirNamesSay)
{
    struct Case {
        const char* name;
        const char* part;
    };
    const Case cases[] = {
        {"CPU Package", "cpu"},
        {"package_0", "cpu"},
        {"CPU Cores", "part"},
        {"CPU Core #1", "part"},
        {"uncore_0", "part"},
        {"dram_0", "dram"},
        {"CPU Memory", "dram"},
        {"GPU Package", "gpu"},
        {"nvidia_gpu_0", "gpu"},
        {"board draw", "gpu"},
        {"gpu chip draw", "part"},
        {"mvddc draw", "part"},
        {"pcie slot", "part"},
        {"16-pin", "part"},
        {"psys", "system"},
        {"wall", "system"},
        {"VDD_IN", "system"},
        {"combined", "sum"},
        {"power", "system"},
        {"fan", "part"},
        {"SSD", "part"},
        {"nic", "part"},
        {"rail7", "part"},
        {"ane", "ane"},
        {"CPU 封装功率", "cpu"},
        {"Мощность ЦП", "cpu"},
        {"CPU-Gesamtleistung", "cpu"},
        {"Potência da CPU", "cpu"},
        {"Puissance du GPU", "gpu"},
        {"内存功率", "dram"},
    };
    for (const Case& one : cases)
        EXPECT_STREQ(kindOf(one.name).part, one.part) << one.name;
}

struct RailCase {
    const char* what;
    std::string text;
    const char* rail;
    double joules; // negative: refused
    Verdict verdict = Weight::Note;
    const char* says = "";
    ReadOptions options{};
};

std::vector<RailCase> railCases()
{
    ReadOptions system;
    system.rails = {"system"};
    ReadOptions watts;
    watts.unit = "W";
    ReadOptions second;
    second.period_s = 1.0;
    ReadOptions total;
    total.energies = Energies::Total;
    std::string wrap = "Delta,Time,PACKAGE_ENERGY (J)\n";
    for (int i = 0; i < 6; ++i)
        wrap += "1000," + std::to_string(1'795'592'141'000 + 1000 * i) + ','
            + std::to_string(i < 3 ? 261'700 + 200 * i : 200 * i - 444) + '\n';
    const std::string dead =
        rowsOf("timestamp,cpu_power_w,gpu_power_w,system_power_w", ",0,8,20", 5);
    const std::string energies = "time_s,energy_j\n0,10\n1,20\n2,30\n3,40\n4,50\n";
    return {
        {"an unknown rail is no whole", rowsOf("timestamp,gpu_power_w,fan_power_w", ",300,5", 11),
         "gpu", 3000},
        {"a dead rail is about itself", dead, "system", 80, Weight::Doubtful, "cpu is zero"},
        {"the verdict of one rail", dead, "system", 80, Weight::Note, "", system},
        {"a whole by name only", rowsOf("timestamp,gpu_power_w,board_power_w", ",100,60", 5), "gpu",
         400, Weight::Doubtful, "does not contain them"},
        {"cores above their package",
         rowsOf("timestamp,package_power_w,cores_power_w", ",10,30", 5), "package", 40,
         Weight::Doubtful, "said to contain"},
        {"a counter that begins again", wrap, "PACKAGE_ENERGY (J)", 1000, Weight::Note,
         "begins again at zero after 262 kJ"},
        {"energies per interval", "Core\tCPU\tPkg_J\n-\t-\t10.0\n-\t-\t11.0\n", "Pkg_J", 21,
         Weight::Note, "", second},
        {"energies that may be a total", energies, "", -1, Weight::Note, "(--energies)"},
        {"a stated total", energies, "energy", 40, Weight::Note, "", total},
        {"perf in JSON",
         "{\"interval\":1.0,\"counter-value\":\"19.5\",\"unit\":\"Joules\",\"event\":"
         "\"power/energy-pkg/\"}\n{\"interval\":2.0,\"counter-value\":\"20.5\",\"unit\":"
         "\"Joules\",\"event\":\"power/energy-pkg/\"}\n",
         "energy-pkg", 40},
        {"Home Assistant's history",
         "entity_id,state,last_changed\nsensor.rig_power,100,2026-11-03T10:00:00Z\n"
         "sensor.rig_temperature,30,2026-11-03T10:00:01Z\n"
         "sensor.rig_power,50,2026-11-03T10:00:10Z\nsensor.rig_power,50,2026-11-03T10:01:00Z\n",
         "sensor.rig_power", 3500, Weight::Note, "other entities", watts},
        {"Home Assistant's statistics",
         "statistic_id\tunit\tstart\tmean\nsensor.rig\tW\t26.01.2024 08:00\t50\n"
         "sensor.rig\tW\t26.01.2024 09:00\t50\n",
         "sensor.rig", 360'000},
        {"rails with intervals of their own",
         "time_s,rail,power_w\n0,cpu,10\n0,dram,2\n1,cpu,10\n2,cpu,10\n5,dram,2\n3,cpu,10\n"
         "10,dram,2\n",
         "dram", 20},
        {"two columns of one name", rowsOf("timestamp,power_w,power_w", ",10,20", 11), "power 2",
         200},
    };
}

// Numbers that can be read in two ways, texts that are not numbers, and files that are not logs.
std::vector<RailCase> numberCases()
{
    ReadOptions comma;
    comma.decimal = DecimalSign::Comma;
    return {
        {"decided by other rows", "time_s;power_mw\n0;1.500\n1;1.500\n2;998,5\n3;1.500\n", "board",
         3.9985},
        {"decided by other columns", rowsOf("timestamp,power_w,temperature", ",\"1,500\",38.5", 3),
         "power", 3000},
        {"not decided", rowsOf("timestamp,power_mw", ",\"1,500\"", 3), "", -1, Weight::Note,
         "is either 1.500 or 1500"},
        {"stated", rowsOf("timestamp,power_mw", ",\"1,500\"", 3), "board", 0.003, Weight::Note, "",
         comma},
        {"thousands of mW?", rowsOf("timestamp,power_mw", ",1.500", 3), "board", 0.003,
         Weight::Doubtful, "(--decimal)"},
        {"times in ms, then in s",
         "time_ms,power_w\n0,10\n1000,10\n2000,10\n3000,10\n4,10\n5,10\n6,10\n7,10\n", "", -1,
         Weight::Note, "in one unit"},
        {"a key twice", "{\"timestamp\":1795592141,\"power_w\":10,\"power_w\":20}\n", "", -1,
         Weight::Note, "twice"},
        {"a percentage", "time_s,power_w\n0,12 %\n1,12 %\n", "", -1, Weight::Note,
         "no unit of power"},
        {"a number beyond doubles", "time_s,power_w\n0,1e400\n1,1\n", "", -1, Weight::Note,
         "not a number"},
        {"a sum beyond doubles", "time_s,power_w\n0,1e308\n1,1e308\n", "", -1, Weight::Note,
         "too large"},
        {"columns that change",
         "time_s,cpu_power_w,gpu_power_w\n0,1,2\n1,1,2\n"
         "time_s,gpu_power_w,cpu_power_w\n2,2,1\n",
         "", -1, Weight::Note, "columns change"},
        {"nvidia-smi -q", "\n==============NVSMI LOG==============\n\nTimestamp : x\n", "", -1,
         Weight::Note, "--query-gpu"},
        {"powerstat",
         "  Time    User  Nice Ctxt/s  IRQ/s Fork Exec Exit  Watts\n"
         "10:00:01   1.0   0.0    10    10    0    0    0    8.1\n",
         "", -1, Weight::Note, "powerstat"},
    };
}

TEST(Rails, HaveTheirOwnEnergiesAndVerdicts)
{
    std::vector<RailCase> cases = railCases();
    for (const RailCase& one : numberCases())
        cases.push_back(one);
    for (const RailCase& one : cases) {
        SCOPED_TRACE(one.what);
        const auto recording = readText(one.text, one.options);
        if (one.joules < 0.0) {
            ASSERT_FALSE(recording);
            EXPECT_NE(recording.error().message.english().find(one.says), std::string::npos)
                << recording.error().message;
            continue;
        }
        ASSERT_TRUE(recording) << recording.error().message;
        const RailRecording* rail = recording->rail(one.rail);
        ASSERT_NE(rail, nullptr) << recording->rails.front().name;
        EXPECT_NEAR(rail->joules, one.joules, 1e-6 * one.joules);
        EXPECT_STREQ(verdictName(recording->verdict()), verdictName(one.verdict));
        EXPECT_FALSE(rail->poor);
        std::string notes;
        for (const Message& note : recording->notes())
            notes += note.english() + '\n';
        EXPECT_NE(notes.find(one.says), std::string::npos) << notes;
    }
}

// Logs beyond a limit are refused, with the limit in the message.
TEST(Rails, AreLimited)
{
    std::string devices = "timestamp,index,power.draw [W]\n";
    for (int device = 0; device < 5000; ++device)
        devices += "1795592141," + std::to_string(device) + ",10\n";
    std::string columns = "timestamp";
    for (int column = 0; column < 5000; ++column)
        columns += ",c" + std::to_string(column) + "_power_w";
    columns += "\n1795592141";
    for (int column = 0; column < 5000; ++column)
        columns += ",1";
    const std::string name(600, 'x');
    const std::pair<std::string, const char*> cases[] = {
        {devices, "more than 4096 devices"},
        {columns + '\n', "more than 4096 rails"},
        {std::string(70'000, ',') + "power_w\n", "more than 65536 columns"},
        {"time_s,rail,power_w\n0," + name + ",1\n", "more than 500 bytes"},
    };
    for (const auto& [text, says] : cases) {
        const auto recording = readText(text);
        ASSERT_FALSE(recording) << says;
        EXPECT_NE(recording.error().message.english().find(says), std::string::npos)
            << recording.error().message;
    }
}

// Damaged, odd and misleading logs, and how each must be handled.

struct NegativeCase {
    const char* file;
    Verdict verdict; // only for logs that are read
    double joules; // first rail's energy; negative: not checked
    const char* says; // part of a note or of the error message
    bool refused = false;
};

const NegativeCase kNegativeCases[] = {
    {"base.csv", Weight::Note, 2040.0, "no zone"},
    {"bom-crlf.csv", Weight::Note, 2040.0, "no zone"},
    {"semicolon-decimal-comma.csv", Weight::Note, 2040.0, "no zone"},
    {"time-zone-offsets.csv", Weight::Note, 2040.0, ""},
    {"truncated-last-line.csv", Weight::Note, 2025.0, "cut off"},
    {"truncated-in-number.csv", Weight::Note, 1350.0, "cut off"},
    {"duplicate-rows.csv", Weight::Note, 2040.0, "Duplicate rows"},
    {"same-time-two-values.csv", Weight::Note, -1.0, "time of the previous row"},
    {"unsorted.csv", Weight::Note, 2040.0, "sorted"},
    {"not-available.csv", Weight::Note, -1.0, "2 gaps of 3.00 s"},
    {"all-not-available.csv", Weight::Note, 0.0, "reports no power", true},
    {"no-unit.csv", Weight::Note, 0.0, "--unit", true},
    {"mixed-units.csv", Weight::Note, 2040.0, "values in mW"},
    {"header-says-mw-rows-say-w.csv", Weight::Note, 2040.0, "values in W"},
    {"clock-jumps-forward-1h.csv", Weight::Note, 1965.0, "1 gap"},
    {"asleep-10min.csv", Weight::Note, 1965.0, "1 gap"},
    {"clock-jumps-back-7s.csv", Weight::Doubtful, -1.0, "set back"},
    {"negative-power.csv", Weight::Poor, -1.0, "negative in rows 13 to 14"},
    {"spike-4666w.csv", Weight::Poor, -1.0, "4.67 kW"},
    {"flat-under-load.csv", Weight::Poor, -1.0, "does not move"},
    {"header-only.csv", Weight::Note, 0.0, "no rows", true},
    {"empty.csv", Weight::Note, 0.0, "empty", true},
    {"one-row.csv", Weight::Note, 0.0, "single row", true},
    {"not-a-power-log.csv", Weight::Note, 0.0, "no column of power", true},
    {"real-mw-labelled-w.csv", Weight::Poor, -1.0, "6.63 kW"},
    // Two of its rows are -12.98 kW.
    {"real-decimal-comma-in-comma-csv.csv", Weight::Poor, -1.0, "decimal signs"},
    {"real-one-unfinished-row-intel.csv", Weight::Note, 0.0, "0.029", true},
    {"real-rapl-drop.log", Weight::Poor, -1.0, "41.2 kW"},
    {"real-prefill-980w.csv", Weight::Poor, -1.0, "1.21 kW"},
};

std::string all(const Recording& recording)
{
    std::string text;
    for (const Message& note : recording.notes())
        text += note.english() + '\n';
    return text;
}

TEST(NegativeTraces, CauseWhatTheyMust)
{
    const std::filesystem::path own = ep::test::dataPath("powerlog");
    // Other people's files are not part of the repository.
    const auto others =
        std::filesystem::path(ep::test::referencePath()).parent_path() / "traces/negative";
    for (const NegativeCase& one : kNegativeCases) {
        SCOPED_TRACE(one.file);
        const bool real = std::string_view(one.file).starts_with("real-");
        const auto file = (real ? others : own) / one.file;
        if (real && !std::filesystem::exists(file))
            continue;
        const auto recording = readRecording(file, {});
        if (one.refused) {
            ASSERT_FALSE(recording);
            EXPECT_NE(recording.error().message.english().find(one.says), std::string::npos)
                << recording.error().message;
            continue;
        }
        ASSERT_TRUE(recording) << recording.error().message;
        EXPECT_EQ(verdictName(recording->verdict()), std::string(verdictName(one.verdict)))
            << all(*recording);
        EXPECT_NE(all(*recording).find(one.says), std::string::npos) << all(*recording);
        if (one.joules >= 0.0) {
            EXPECT_NEAR(recording->rails.front().joules, one.joules, 1e-6);
        }
    }
}

} // namespace
} // namespace ep::powerlog

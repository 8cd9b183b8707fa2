// SPDX-License-Identifier: GPL-3.0-or-later
// Logs with known truth: 60 W, then 300 W from one fifth to four fifths of the file, then 60 W.
#include "powerlog/read_text.h"
#include "support/folders.h"
#include "support/temp_folder.h"

#include "ep/powerlog/read.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace ep::powerlog {
namespace {

TEST(MadeLogs, HaveTheEnergyOfTheirLoad)
{
    struct Case {
        const char* file;
        const char* rail;
        double joules;
    };
    const Case cases[] = {
        {"amd-smi-watch.csv", "gpu0", 8160.0},
        {"amd-smi-watch.csv", "gpu1", 5400.0},
        {"dcgmi-dmon.txt", "gpu0", 8160.0},
        {"dcgmi-dmon.txt", "gpu1", 2368.0},
        {"macmon.jsonl", "all", 2040.0},
        {"macmon.jsonl", "gpu", 1632.0},
        {"macmon.jsonl", "cpu", 408.0},
        {"macmon.jsonl", "ram", 102.0},
        {"macmon.jsonl", "system", 2190.0},
        {"nvidia-smi-dmon-dt.txt", "gpu0", 8160.0},
        {"prometheus-dcgm.txt", "0", 122'400.0},
        {"prometheus-kepler.txt", "package", 40'800.0},
        {"prometheus-kepler.txt", "dram", 4080.0},
        {"scaphandre-concatenated.json", "host", 16'320.0},
        {"shelly-gen2.jsonl", "wall", 8160.0},
        {"smartplug-german.csv", "wall", 4'896'000.0},
        {"tasmota-sensor.jsonl", "wall", 81'600.0},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.file);
        ReadOptions options;
        if (std::string_view(one.file) == "dcgmi-dmon.txt")
            options.period_s = 1.0;
        const auto recording = readRecording(
            std::filesystem::path(ep::test::dataPath("powerlog")) / one.file, options);
        ASSERT_TRUE(recording) << recording.error().message;
        ASSERT_NE(recording->rail(one.rail), nullptr) << one.rail;
        EXPECT_NEAR(recording->rail(one.rail)->joules, one.joules, 1e-6 * one.joules);
        EXPECT_NE(recording->verdict(), Weight::Poor) << testing::PrintToString(recording->notes());
    }
    EXPECT_NE(readRecording(ep::test::dataPath("powerlog/dcgmi-dmon.txt"), {})
                  .error()
                  .message.english()
                  .find("--period"),
              std::string::npos);
}

struct SpeltLog {
    const char* text;
    const char* rail;
    double joules;
    double period_s = 0.0;
};

// Other column orders, units, locales and numbers of devices.
constexpr SpeltLog kSpeltOtherwise[] = {
    {"index, power.draw.instant [W], timestamp\n0, 100.00 W, 2026/11/25 07:35:41.000\n"
     "1, 10.00 W, 2026/11/25 07:35:41.000\n0, 200.00 W, 2026/11/25 07:35:43.000\n"
     "1, 10.00 W, 2026/11/25 07:35:43.000\n",
     "gpu0", 300.0},
    {"timestamp,name,uuid,power.draw [W],power.limit [W]\n"
     "2026/11/25 07:35:41.000,A,GPU-1,100,400\n2026/11/25 07:35:41.000,A,GPU-2,50,400\n"
     "2026/11/25 07:35:42.000,A,GPU-1,100,400\n2026/11/25 07:35:42.000,A,GPU-2,50,400\n",
     "gpu2", 50.0},
    {"# gpu   pwr  gtemp\n# Idx     W      C\n    0    60     42\n    0    80     42\n", "gpu0",
     140.0, 2.0},
    {"Nov 25 07:35:41 #Entity   POWER\nNov 25 07:35:41 ID          W\n"
     "Nov 25 07:35:41 GPU 0     60.0\nNov 25 07:35:43 GPU 0     60.0\n",
     "gpu0", 120.0},
    {"TIMESTAMP  GPU  POWER  GPU_TEMP  GFX_UTIL\n1740686195  0  8 W  28 °C  0 %\n"
     "1740686197  0  12 W  28 °C  0 %\n",
     "gpu0", 20.0},
    {"timestamp,elapsed_ms,cpu_power_mw,gpu_power_mw\n"
     "Sat Nov  8 13:11:14 2025 -0700,1000.0,2000,500\n"
     "Sat Nov  8 13:11:15 2025 -0700,1000.0,3000,500\n",
     "cpu", 5.0},
    {"timestamp;tag;duration;package_0;nvidia_gpu_0\n1700000000.5;a;2.0;3000000;4000\n"
     "1700000002.5;b;1.0;2000000;1000\n",
     "nvidia_gpu_0", 5.0},
    {"Zeit;Leistung [W];Energie [kWh]\n25.11.2026 07:35:41;1.000,5;1,0\n"
     "25.11.2026 07:35:43;1.000,5;1,0\n",
     "wall", 2001.0},
    {"     1,001048308;19,63;Joules;power/energy-pkg/;2;100,00;;\n"
     "     2,002369058;19,41;Joules;power/energy-pkg/;2;100,00;;\n",
     "energy-pkg", 39.04},
    {"#           time             counts unit events\n"
     "     1.001048308              19.63 Joules power/energy-pkg/\n"
     "     2.002369058              19.41 Joules power/energy-pkg/\n",
     "energy-pkg", 39.04},
    {"RAM 2274/3964MB (lfb 27x4MB) CPU [1%@102] POM_5V_IN 3624/3624 POM_5V_GPU 40/40\n"
     "RAM 2274/3964MB (lfb 27x4MB) CPU [1%@102] POM_5V_IN 3624/3624 POM_5V_GPU 40/40\n",
     "POM_5V_IN", 3.624, 1.0},
    {"{\"meters\":[{\"power\":50.0,\"is_valid\":true,\"timestamp\":1795592141,\"total\":9}]}\n"
     "{\"meters\":[{\"power\":70.0,\"is_valid\":true,\"timestamp\":1795592143,\"total\":9}]}\n",
     "wall", 120.0},
    {"tele/plug/SENSOR = {\"Time\":\"2026-11-25T07:35:41\",\"ENERGY\":{\"Power\":[10,20]}}\n"
     "tele/plug/SENSOR = {\"Time\":\"2026-11-25T07:35:51\",\"ENERGY\":{\"Power\":[10,20]}}\n",
     "wall 2", 200.0},
    {"all_smi_gpu_power_consumption_watts{gpu=\"M4\",index=\"0\"} 10 1795592141000\n"
     "all_smi_ane_power_watts{instance=\"m\"} 1 1795592141000\n"
     "all_smi_gpu_power_consumption_watts{gpu=\"M4\",index=\"0\"} 20 1795592143000\n"
     "all_smi_ane_power_watts{instance=\"m\"} 1 1795592143000\n",
     "gpu0", 30.0},
    {"kepler_node_package_joules_total{mode=\"dynamic\",package=\"0\"} 100 1795592141000\n"
     "kepler_node_package_joules_total{mode=\"idle\",package=\"0\"} 50 1795592141000\n"
     "kepler_node_package_joules_total{mode=\"dynamic\",package=\"0\"} 110 1795592143000\n"
     "kepler_node_package_joules_total{mode=\"idle\",package=\"0\"} 54 1795592143000\n",
     "package", 14.0},
    {"time_ms,cpu_power_w,gpu_power_w\n0,10,5\n500,10,5\n1000,10,5\n", "gpu", 5.0},
    {"#Time        gpu    pwr\n#HH:MM:SS    Idx      W\n 20:06:05      0    60\n"
     " 20:06:07      0    80\n",
     "gpu0", 140.0},
    {"2026-11-25 07:35:41 #Entity   GPUTL  POWER\n2026-11-25 07:35:41 ID                W\n"
     "2026-11-25 07:35:41 GPU 0     5      60.0\n2026-11-25 07:35:43 GPU 0     5      60.0\n",
     "gpu0", 120.0},
    {"PkgWatt\n60.00\n80.00\n", "PkgWatt", 280.0, 2.0},
    {",/intelcpu/0/load/0,/intelcpu/0/power/0,/gpu-nvidia/0/power/0,/gpu-amd/0/power/0\n"
     "Time,CPU Total,CPU Package,GPU Package,GPU Package\n"
     "03/06/2026 20:06:05,5,60,10,1\n03/06/2026 20:06:07,5,80,10,1\n",
     "CPU Package", 140.0},
    {",/gpu-nvidia/0/power/0,/gpu-amd/0/power/0\nTime,GPU Package,GPU Package\n"
     "03/06/2026 20:06:05,10,1\n03/06/2026 20:06:07,10,1\n",
     "GPU Package /gpu-amd/0/power/0", 2.0},
    {"Time (s),Voltage (V),Current (mA)\n0,5.0,1000\n2,5.0,3000\n", "power", 20.0},
    {"mactop_power_watts{component=\"gpu\"} 10 1795592141000\n"
     "mactop_power_watts{component=\"total\"} 12 1795592141000\n"
     "mactop_power_watts{component=\"gpu\"} 20 1795592143000\n"
     "mactop_power_watts{component=\"total\"} 24 1795592143000\n",
     "gpu", 30.0},
    {"Timestamp,System_Name,CPU_Usage,GPU_Usage,Total_Power,System_Power\n"
     "2025-12-04T00:43:06-07:00,Apple M4,12.00,90.00,10.00,14.00\n"
     "2025-12-04T00:43:08-07:00,Apple M4,12.00,90.00,20.00,16.00\n",
     "system", 30.0},
    {"timestamp|power_w\n1795592141|10\n1795592143|20\n", "power", 30.0},
    {"Date;Heure;Puissance (W)\n25/11/2026;20:06:05;60,5\n25/11/2026;20:06:07;60,5\n", "puissance",
     121.0},
    {"Date,Time,Power (W)\n2026-11-25,20:06:05,60\n2026-11-25,20:06:07,80\n", "power", 140.0},
    {"{\"time_ms\":0,\"soc\":{\"gpu_power_mw\":1000,\"max_power_mw\":9}}\n"
     "{\"time_ms\":2000,\"soc\":{\"gpu_power_mw\":3000,\"max_power_mw\":9}}\n",
     "soc gpu", 4.0},
};

TEST(MadeLogs, MayBeSpeltOtherwise)
{
    for (const SpeltLog& one : kSpeltOtherwise) {
        SCOPED_TRACE(one.text);
        ReadOptions options;
        if (one.period_s > 0.0)
            options.period_s = one.period_s;
        const auto recording = readText(one.text, options);
        ASSERT_TRUE(recording) << recording.error().message;
        ASSERT_NE(recording->rail(one.rail), nullptr)
            << recording->rails.front().name << " of " << recording->format;
        EXPECT_NEAR(recording->rail(one.rail)->joules, one.joules, 1e-9 * one.joules);
    }
}

TEST(MadeLogs, MayLackTheirLastLineEnd)
{
    struct Case {
        const char* text;
        std::int64_t rows;
    };
    const Case cases[] = {
        {"timestamp,power_w\n1795592141,300.00\n1795592142,300.00\n1795592143,30", 2},
        {"timestamp,power_w\n1795592141,300.00\n1795592142,300.00\n1795592143,300.00", 3},
        // "21.8" may be the beginning of "21.85", and "1" that of "10".
        {"timestamp,power_w\n1795592141,300.123\n1795592142,5.4\n1795592143,21.8", 2},
        {"timestamp,power_w\n1795592141,10\n1795592142,10\n1795592143,1", 2},
        {"timestamp,power_w\n1795592141,300\n1795592142,300\n1795592143,300", 3},
        {"timestamp,power\n1795592141,300 W\n1795592142,300 W\n1795592143,300", 2},
        {"timestamp,power_w,use\n1795592141,300,97\n1795592142,300,97\n1795592143,300,9", 3},
    };
    for (const Case& one : cases) {
        const auto recording = readText(one.text);
        ASSERT_TRUE(recording) << recording.error().message;
        EXPECT_EQ(recording->rows, one.rows) << one.text;
    }
}

TEST(MadeLogs, ThatLieArePoor)
{
    struct Case {
        const char* text;
        const char* says;
    };
    const Case cases[] = {
        {"duration_s,energy_j,tokens\n10,2970,100\n12,2970,90\n9,2970,80\n14,2970,100\n8,2970,70\n",
         "state exactly 2.97 kJ"},
        {"duration_s,energy_j,tokens\n22,0,84\n20,30,84\n", "Tokens without any energy in row 2"},
        {"duration_s,energy_j,threads,tokens_per_second\n2,10,8,8\n3,12,8,8\n4,14,4,4\n",
         "number of threads"},
        {"timestamp,gpu_power_w,system_power_w\n1795592141,100,60\n1795592142,100,60\n",
         "more than the 60.0 J of system"},
        {"Delta,Time,CPU_ENERGY (J)\n100,1795592141000,5\n100,1795592141100,5\n"
         "100,1795592141200,5\n100,1795592141300,5\n100,1795592141400,95\n100,1795592141500,95\n"
         "100,1795592141600,95\n100,1795592141700,95\n100,1795592141800,95\n",
         "moves in a single step"},
        {"start_time,window_name,elapsed_time,gpu0_energy\n10,a,5,100\n12,b,5,100\n", "overlap"},
        {"timestamp, power.draw [W], power.limit [W]\n2026/11/25 07:35:41, 100 W, 400 W\n"
         "2026/11/25 07:35:42, 500 W, 400 W\n2026/11/25 07:35:43, 500 W, 400 W\n"
         "2026/11/25 07:35:44, 500 W, 400 W\n",
         "above 1.2 x its rated"},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.text);
        const auto recording = readText(one.text);
        ASSERT_TRUE(recording) << recording.error().message;
        EXPECT_EQ(recording->verdict(), Weight::Poor) << testing::PrintToString(recording->notes());
        const auto notes = recording->notes();
        EXPECT_TRUE(std::ranges::any_of(notes, [&](const std::string& note) {
            return note.find(one.says) != std::string::npos;
        })) << testing::PrintToString(notes);
    }
}

TEST(MadeLogs, AreReadInEveryEncoding)
{
    const std::string ascii = "timestamp,power_w\n1795592141,100\n1795592143,100\n";
    std::string utf16 = "\xFF\xFE";
    for (const char c : ascii)
        utf16 += std::string{c, '\0'};
    for (const std::string& text : {ascii, "\xEF\xBB\xBF" + ascii, utf16}) {
        const auto recording = readText(text);
        ASSERT_TRUE(recording) << recording.error().message;
        EXPECT_DOUBLE_EQ(recording->rails.front().joules, 200.0);
    }
}

// Volts times amperes is not the power of alternating current, and a stated power takes precedence.
TEST(MadeLogs, VoltsTimesAmperesAreAPowerOfDirectCurrentOnly)
{
    const auto mains = readText("Time (s),Voltage (V),Current (A)\n0,230.1,1.0\n2,230.1,1.0\n");
    ASSERT_FALSE(mains);
    EXPECT_NE(mains.error().message.english().find("no column of power"), std::string::npos);
    const auto stated = readText("timestamp,voltage [V],current [A],power [W]\n"
                                 "1795592141,230.1,1.0,60\n1795592143,230.1,1.0,80\n");
    ASSERT_TRUE(stated) << stated.error().message;
    ASSERT_EQ(stated->rails.size(), 1U);
    EXPECT_DOUBLE_EQ(stated->rails.front().joules, 140.0);
}

// The user describes unknown tables, starting from a guess.
TEST(MadeLogs, ColumnsOfAnUnknownTableAreGuessed)
{
    const auto guess = [](const std::string& text) {
        const ep::test::TempFolder folder;
        const auto file = folder / "table.csv";
        std::ofstream(file) << text;
        std::string found;
        for (const DescribedColumn& column : guessTable(file))
            found += column.header + ":" + column.role + " ";
        return found;
    };
    EXPECT_EQ(guess("Measured on the bench\nwann;was;wieviel\n2026-03-06 20:06:05;x;60,5\n"
                    "2026-03-06 20:06:06;y;300,25\n"),
              "wann:time was:ignore wieviel:power ");
    EXPECT_EQ(guess("when,P1\n1795592141,5000\n1795592142,5000\n"), "when:time P1:power ");
    EXPECT_EQ(guess("timestamp,a,b,gpu_power_w\n1795592141,1,2,60\n"),
              "timestamp:time a:ignore b:ignore gpu_power_w:power ");
    EXPECT_EQ(guess("a,b,c\nx,1,2\ny,3,4\n"), "a:ignore b:ignore c:ignore ");
    EXPECT_EQ(guess(""), "");
}

} // namespace
} // namespace ep::powerlog

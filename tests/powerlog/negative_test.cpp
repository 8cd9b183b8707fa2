// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged, odd and misleading logs, and how each must be handled.
#include "ep/powerlog/read.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string_view>

namespace ep::powerlog {
namespace {

struct Case {
    const char* file;
    Verdict verdict; // only for logs that are read
    double joules; // first rail's energy; negative: not checked
    const char* says; // part of a note or of the error message
    bool refused = false;
};

const Case kCases[] = {
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
    for (const std::string note : recording.notes())
        text += note + '\n';
    return text;
}

TEST(NegativeTraces, CauseWhatTheyMust)
{
    const std::filesystem::path own = std::filesystem::path(EP_TEST_DATA_DIR) / "powerlog";
    // Other people's files are not part of the repository.
    const auto others = std::filesystem::path(EP_REFERENCE_DIR).parent_path() / "traces/negative";
    for (const Case& one : kCases) {
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

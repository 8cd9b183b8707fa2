// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/number_text.h"
#include "ep/core/result.h"
#include "ep/powerlog/recording.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ep::powerlog {

enum class DateOrder : std::uint8_t { Unknown, DayFirst, MonthFirst };

// Whether the energies of a log are per row or running totals, if their column does not say so.
enum class Energies : std::uint8_t { Unknown, Rows, Total };

// How a user describes a column of a table that no format describes.
struct DescribedColumn {
    std::string header; // as in the file
    std::string role; // "time", "power", "energy", "counter", "length", "device", "ignore"
    std::string unit; // "W", "mJ", "s"; empty: as stated in the file

    bool operator==(const DescribedColumn&) const = default;
};
using Description = std::vector<DescribedColumn>;

struct ReadOptions {
    std::vector<std::string> rails{}; // only these rails; empty: the rails of the format
    std::string unit{}; // unit of values if the file does not state it
    std::optional<double> period_s{}; // between rows, if the file has no times
    // Converts a local time in seconds since 1970 to UTC; absent: times without a zone stay local.
    std::function<double(double)> to_utc{};
    DateOrder dates = DateOrder::Unknown; // order in dates such as 03/04/2026
    DecimalSign decimal = DecimalSign::Unknown; // sign in numbers such as 1,500
    Energies energies = Energies::Unknown;
    Description description{}; // empty: the table of formats decides
    CancelToken cancel{};
    ProgressFn progress{};
};

// Returns the next bytes of a log, as many as it likes; 0 at the end.
using ReadBytes = std::function<Result<std::size_t>(std::span<char> buffer)>;

// Opens a log at its beginning. A log in which only later rows tell what a number such as "1,500"
// means is opened again.
using OpenLog = std::function<Result<ReadBytes>()>;

// Streams the log: memory stays below 200 MB for any length. The error is one sentence with the
// row number; row 1 is the first line of the file.
Result<Recording> readRecording(const OpenLog& open, const std::string& name,
                                const ReadOptions& options);
Result<Recording> readRecording(const std::filesystem::path& file, const ReadOptions& options);

// Whether the file begins like a power log that can be read; reads 64 KB.
bool isRecording(const std::filesystem::path& file);
// The headers of a table, whether or not a format describes it; empty: the file is not a table.
std::vector<std::string> tableHeaders(const std::filesystem::path& file);
// Guesses the meaning of a table's columns from their names or, failing that, from the first rows;
// leaves units to the user.
Description guessTable(const std::filesystem::path& file);

// The supported formats, for help texts and the documentation.
struct FormatName {
    const char* id;
    const char* title;
};
std::vector<FormatName> formats();

// Units that values may have: "W", "mW", "uW", "kW", "J", "mJ", "uJ", "kJ", "Wh", "kWh", "mWh",
// "Wmin".
bool isUnit(std::string_view unit);

} // namespace ep::powerlog

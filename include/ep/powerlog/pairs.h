// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/energy/paired_test.h"
#include "ep/powerlog/recording.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Interleaved pairs of measurements of two settings, recorded by any program.
namespace ep::powerlog {

inline constexpr std::string_view kPairEnergy = "mj_per_token";

// One value for each setting; absent: not measured, or refused. Positive and finite.
struct PairValues {
    std::optional<double> a{};
    std::optional<double> b{};

    bool operator==(const PairValues&) const = default;
};

struct RecordedPair {
    std::int64_t number = 0; // order of measurement; unique
    energy::PairOrder order = energy::PairOrder::Unknown;
    std::vector<PairValues> values{}; // one for each figure of the table
    std::int64_t row = 0;

    bool operator==(const RecordedPair&) const = default;
};

struct PairTable {
    std::vector<std::string> figures{}; // "mj_per_token" first, then "ms_per_token", ...
    std::vector<RecordedPair> pairs{}; // sorted by number
    std::vector<Finding> findings{}; // rows and cells that were left out, one sentence each

    // Pairs of a figure, in order of measurement, without pairs that lack a value.
    std::vector<energy::PairedRatio> ratios(std::size_t figure) const;
};

// Reads a table with the columns pair, order (AB: A ran first, or BA), a_mj_per_token and
// b_mj_per_token in any order, separated by commas, semicolons or tabs. Each further pair of
// columns a_X and b_X is another figure. Without a column pair, rows are in order of measurement.
// The error is one sentence, for example if there is no table of pairs.
Result<PairTable> readPairs(std::string_view text, const std::string& name);
Result<PairTable> readPairs(const std::filesystem::path& file, const CancelToken& cancel = {});

} // namespace ep::powerlog

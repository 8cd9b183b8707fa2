// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/sides.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Which runs were made in pairs, as their tags say. Pure functions.
namespace ep::energy {

std::string pairTag(bool a, int pair); // "pays:a#12": the run of side A of the 12th pair
std::string fixedPairsTag(int pairs); // "pays:fixed#20": the number of pairs was fixed beforehand
// "pays:settings#0123456789ab": what the pairs compare, by a hash
std::string comparedTag(std::string_view hash);
std::string cellTag(std::string_view cell, int repeat); // "cell:0123456789ab#1", of a study
// Whether the program made the tag to find runs again; people do not need to see it.
bool isMachineTag(std::string_view tag);
bool isSideTagged(const RunInfo& run, bool a); // whether the run is this side of a pair
// Whether the run belongs to a pair of another comparison than the one with this tag. Unknown, and
// so false, for pairs of versions that did not tag what they compared.
bool isOfOtherPairs(const RunInfo& run, std::string_view comparedTag);

struct RunPairs {
    struct Pair {
        int number = 0;
        std::size_t a = 0; // indices of the runs of each side
        std::size_t b = 0;
        PairOrder order = PairOrder::Unknown;
    };
    std::vector<Pair> pairs{}; // in the order of measurement; empty: not made in pairs
    bool until_known = false; // the number of pairs was not fixed
};
// Pairs of `pays`, and rounds of a study if they followed each other; only if most runs of the side
// with fewer runs are in one. Fewer than kLeastRounds rounds are compared as groups, which say
// more.
RunPairs pairsOf(std::span<const RunInfo* const> a, std::span<const RunInfo* const> b);
inline constexpr std::size_t kLeastRounds = 6;

// The values of one figure; absent: the run has none.
using ValueOf = std::function<std::optional<double>(bool ofA, std::size_t run)>;
SideValues sideValues(std::size_t runsA, std::size_t runsB, const RunPairs& pairs,
                      const ValueOf& valueOf);

} // namespace ep::energy

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/paired_runs.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace ep::energy {

namespace {

constexpr std::string_view kPairPrefix = "pays:";
constexpr std::string_view kCellPrefix = "cell:";
constexpr std::string_view kFixed = "pays:fixed#";
constexpr std::string_view kCompared = "pays:settings#";

// The number after the '#' of a tag that begins with the prefix.
std::optional<int> numberAfter(std::string_view tag, std::string_view prefix)
{
    if (!tag.starts_with(prefix))
        return std::nullopt;
    const std::size_t hash = tag.find('#', prefix.size() - 1);
    if (hash == std::string_view::npos)
        return std::nullopt;
    int number = 0;
    const char* end = tag.data() + tag.size();
    const auto read = std::from_chars(tag.data() + hash + 1, end, number);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

std::optional<int> numberOf(const RunInfo& run, std::string_view prefix)
{
    for (const std::string& tag : run.tags) {
        if (const auto number = numberAfter(tag, prefix))
            return number;
    }
    return std::nullopt;
}

// Complete runs by number, in the order in which they were made.
using ByNumber = std::map<int, std::vector<std::size_t>>;

ByNumber byNumber(std::span<const RunInfo* const> runs, std::string_view prefix)
{
    ByNumber found;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto number = numberOf(*runs[i], prefix);
        if (number && runs[i]->status == RunStatus::Complete)
            found[*number].push_back(i);
    }
    for (auto& [number, indices] : found)
        std::ranges::stable_sort(indices, {},
                                 [&](std::size_t i) { return runs[i]->created_at_ms; });
    return found;
}

std::vector<RunPairs::Pair> matched(std::span<const RunInfo* const> a,
                                    std::span<const RunInfo* const> b, std::string_view prefixA,
                                    std::string_view prefixB)
{
    std::vector<RunPairs::Pair> pairs;
    const ByNumber ofB = byNumber(b, prefixB);
    for (const auto& [number, first] : byNumber(a, prefixA)) {
        const auto second = ofB.find(number);
        // If a number occurs in several pairs, each run would have several partners.
        if (second == ofB.end() || first.size() != 1 || second->second.size() != 1)
            continue;
        const std::size_t i = first.front();
        const std::size_t k = second->second.front();
        if (a[i]->experiment != b[k]->experiment)
            continue;
        pairs.push_back({.number = number,
                         .a = i,
                         .b = k,
                         .order = a[i]->created_at_ms <= b[k]->created_at_ms ? PairOrder::AFirst
                                                                             : PairOrder::BFirst});
    }
    return pairs;
}

// Whether each pair was over before the next one began.
bool followEachOther(std::span<const RunInfo* const> a, std::span<const RunInfo* const> b,
                     const std::vector<RunPairs::Pair>& pairs)
{
    for (std::size_t i = 1; i < pairs.size(); ++i) {
        const auto last =
            std::max(a[pairs[i - 1].a]->created_at_ms, b[pairs[i - 1].b]->created_at_ms);
        if (std::min(a[pairs[i].a]->created_at_ms, b[pairs[i].b]->created_at_ms) < last)
            return false;
    }
    return true;
}

// The number of pairs was fixed if all runs say so, with the same number, and there are no more.
bool numberWasFixed(std::span<const RunInfo* const> a, std::span<const RunInfo* const> b,
                    const std::vector<RunPairs::Pair>& pairs)
{
    const auto number = numberOf(*a[pairs.front().a], kFixed);
    return number && std::cmp_less_equal(pairs.size(), *number)
        && std::ranges::all_of(pairs, [&](const RunPairs::Pair& pair) {
               return numberOf(*a[pair.a], kFixed) == number
                   && numberOf(*b[pair.b], kFixed) == number;
           });
}

} // namespace

std::string pairTag(bool a, int pair)
{
    return std::string(kPairPrefix) + (a ? "a#" : "b#") + std::to_string(pair);
}

std::string fixedPairsTag(int pairs)
{
    return std::string(kFixed) + std::to_string(pairs);
}

std::string comparedTag(std::string_view hash)
{
    return std::string(kCompared) + std::string(hash);
}

std::string cellTag(std::string_view cell, int repeat)
{
    return std::string(kCellPrefix) + std::string(cell) + '#' + std::to_string(repeat);
}

bool isMachineTag(std::string_view tag)
{
    return tag.starts_with(kPairPrefix) || tag.starts_with(kCellPrefix);
}

bool isSideTagged(const RunInfo& run, bool a)
{
    return numberOf(run, a ? "pays:a#" : "pays:b#").has_value();
}

bool isOfOtherPairs(const RunInfo& run, std::string_view comparedTag)
{
    return std::ranges::any_of(run.tags, [&](const std::string& tag) {
        return tag.starts_with(kCompared) && tag != comparedTag;
    });
}

RunPairs pairsOf(std::span<const RunInfo* const> a, std::span<const RunInfo* const> b)
{
    RunPairs found;
    const auto most = [&](const std::vector<RunPairs::Pair>& pairs) {
        return 2 * pairs.size() > std::min(a.size(), b.size());
    };
    found.pairs = matched(a, b, "pays:a#", "pays:b#");
    if (!most(found.pairs)) {
        found.pairs = matched(a, b, "pays:b#", "pays:a#"); // the sides are the other way round
        for (RunPairs::Pair& pair : found.pairs)
            pair.order = a[pair.a]->created_at_ms < b[pair.b]->created_at_ms ? PairOrder::AFirst
                                                                             : PairOrder::BFirst;
    }
    if (most(found.pairs)) {
        found.until_known = !numberWasFixed(a, b, found.pairs);
        return found;
    }
    found.pairs = matched(a, b, kCellPrefix, kCellPrefix);
    if (found.pairs.size() < kLeastRounds || !most(found.pairs)
        || !followEachOther(a, b, found.pairs))
        found.pairs.clear();
    return found;
}

SideValues sideValues(std::size_t runsA, std::size_t runsB, const RunPairs& pairs,
                      const ValueOf& valueOf)
{
    SideValues values{.until_known = pairs.until_known};
    for (std::size_t i = 0; i < runsA; ++i) {
        if (const auto value = valueOf(true, i))
            values.a.push_back(*value);
    }
    for (std::size_t i = 0; i < runsB; ++i) {
        if (const auto value = valueOf(false, i))
            values.b.push_back(*value);
    }
    for (const RunPairs::Pair& pair : pairs.pairs) {
        const auto a = valueOf(true, pair.a);
        const auto b = valueOf(false, pair.b);
        if (a && b && *a > 0.0 && *b > 0.0)
            values.pairs.push_back({.log_ratio = std::log(*a / *b), .order = pair.order});
    }
    return values;
}

} // namespace ep::energy

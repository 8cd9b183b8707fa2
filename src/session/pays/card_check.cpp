// SPDX-License-Identifier: GPL-3.0-or-later
#include "pays/card_fields.h"

#include "ep/core/quantile.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace ep::session {

namespace {

constexpr double kMaxMilliwatts = 1e7; // no machine that runs this program draws 10 kW

std::string runName(const CardPair& pair, bool a)
{
    return std::string("the run of ") + (a ? "A" : "B") + " in pair " + std::to_string(pair.pair);
}

bool isHash(const std::string& text)
{
    constexpr std::string_view kStart = "sha256:";
    constexpr std::size_t kDigits = 64;
    return text.size() == kStart.size() + kDigits && text.starts_with(kStart)
        && text.find_first_not_of("0123456789abcdef", kStart.size()) == std::string::npos;
}

// What is impossible in the windows of one run.
std::string windowProblem(const CardRun& run)
{
    if (run.windows.empty())
        return " has no windows.";
    std::vector<double> lengths;
    for (const CardWindow& window : run.windows) {
        if (window.end_ns <= window.begin_ns || window.end_ns <= 0
            || window.begin_ns >= run.duration_ns)
            return " has a window outside of it.";
        const double milliseconds = static_cast<double>(window.end_ns - window.begin_ns) * 1e-6;
        if (window.mj / milliseconds * 1e3 > kMaxMilliwatts)
            return " has a window above 10 kW.";
        lengths.push_back(milliseconds * 1e6);
    }
    // Like timestampTolerance() for samples.
    const double tolerance = medianOf(lengths) / 10.0;
    for (std::size_t i = 1; i < run.windows.size(); ++i) {
        if (static_cast<double>(run.windows[i - 1].end_ns - run.windows[i].begin_ns) > tolerance)
            return " has windows that overlap.";
    }
    return {};
}

// The energy of a run without a whole window inside is its share of its windows by time: there is
// nothing to divide them by work with. Otherwise it lies between that share and all of its windows,
// since the work of a window at its ends may lie inside.
bool energyFits(const CardRun& run)
{
    double share = 0.0;
    double all = 0.0;
    bool whole = false;
    for (const CardWindow& window : run.windows) {
        const Nanoseconds inside =
            std::min(window.end_ns, run.duration_ns) - std::max<Nanoseconds>(window.begin_ns, 0);
        const Nanoseconds length = window.end_ns - window.begin_ns;
        share += window.mj * static_cast<double>(inside) / static_cast<double>(length);
        all += window.mj;
        whole = whole || inside == length;
    }
    // Timestamps are joined, which moves an end of a window by up to a tenth.
    constexpr double kJoined = 0.1;
    constexpr double kRounding = 0.01;
    const double edge = kJoined * std::ranges::max(run.windows, {}, &CardWindow::mj).mj;
    const double least = whole ? share * (1.0 - kRounding) - edge : share * (1.0 - kJoined);
    const double most = whole ? all * (1.0 + kRounding) + edge : share * (1.0 + kJoined);
    return run.energy_mj >= least && run.energy_mj <= most;
}

std::string runProblem(const CardRun& run)
{
    if (run.id.empty())
        return " has no id.";
    if (!(run.energy_mj > 0.0))
        return " has no energy.";
    const std::string problem = windowProblem(run);
    if (!problem.empty())
        return problem;
    return energyFits(run) ? std::string() : " has an energy that its windows do not have.";
}

// Runs must follow each other, and every two pairs must have run in both orders.
std::string orderProblem(const PaysCard& card)
{
    constexpr std::int64_t kToleranceMs = 1000; // the wall clock may be set
    std::int64_t end = 0;
    const CardPair* odd = nullptr;
    for (const CardPair& pair : card.pairs) {
        const bool aFirst = pair.a.created_at_ms <= pair.b.created_at_ms;
        for (const CardRun* run : {aFirst ? &pair.a : &pair.b, aFirst ? &pair.b : &pair.a}) {
            constexpr std::int64_t kNsPerMs = 1'000'000;
            if (run->created_at_ms + kToleranceMs < end)
                return "pair " + std::to_string(pair.pair)
                    + " began before the runs before it had ended.";
            end = run->created_at_ms + run->duration_ns / kNsPerMs;
        }
        if (pair.pair % 2 == 0 && odd != nullptr && odd->pair == pair.pair - 1
            && aFirst == (odd->a.created_at_ms <= odd->b.created_at_ms))
            return "pairs " + std::to_string(odd->pair) + " and " + std::to_string(pair.pair)
                + " ran in the same order.";
        odd = pair.pair % 2 == 1 ? &pair : nullptr;
    }
    return {};
}

} // namespace

std::string cardProblem(const PaysCard& card)
{
    if (!isHash(card.hash) || (!card.prompt_hash.empty() && !isHash(card.prompt_hash)))
        return "it has a hash of another kind.";
    if (card.machine_class.empty() || card.source.empty() || card.provenance == Provenance::Missing
        || card.provenance == Provenance::Imported)
        return "it does not say what measured its energies.";
    const auto decision =
        decide(pairTableOf(card), {.smallest_difference = card.smallest_difference});
    if (decision.test.pairs_used != static_cast<std::int64_t>(card.pairs.size()))
        return "it goes on after its verdict.";
    std::set<std::string> ids;
    std::set<std::vector<std::pair<Nanoseconds, double>>> known;
    int last = 0;
    for (const CardPair& pair : card.pairs) {
        if (pair.pair <= last)
            return "its pairs are not in order.";
        last = pair.pair;
        for (const bool a : {true, false}) {
            const CardRun& run = a ? pair.a : pair.b;
            if (const std::string problem = runProblem(run); !problem.empty())
                return runName(pair, a) + problem;
            if (!ids.insert(run.id).second)
                return runName(pair, a) + " is there twice.";
            std::vector<std::pair<Nanoseconds, double>> windows;
            for (const CardWindow& window : run.windows)
                windows.emplace_back(window.end_ns, window.mj);
            if (!known.insert(std::move(windows)).second)
                return runName(pair, a) + " has the windows of another run.";
        }
    }
    return orderProblem(card);
}

} // namespace ep::session

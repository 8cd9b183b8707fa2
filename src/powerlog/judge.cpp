// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the rails of a recording can be correct: each by itself, and wholes with their parts.
#include "collector.h"
#include "log.h"
#include "rails.h"

#include "ep/core/enum_words.h"
#include "ep/core/format.h"

#include <algorithm>
#include <array>

namespace ep::powerlog {
namespace {

void take(std::vector<Finding>& findings, Finding finding)
{
    if (std::ranges::find(findings, finding) == findings.end())
        findings.push_back(std::move(finding));
}

bool isPart(const std::string& part)
{
    return part == "cpu" || part == "gpu" || part == "ane" || part == "dram";
}

// Devices that never draw a thousandth of their power, unlike those inside a chip.
bool hasOneScale(energy::Measured measured)
{
    using energy::Measured;
    return measured == Measured::GraphicsCard || measured == Measured::Machine
        || measured == Measured::Processor || measured == Measured::Board
        || measured == Measured::Memory;
}

std::string stepText(Nanoseconds ns)
{
    return formatDuration(ns);
}

std::string wasOrWere(std::int64_t count)
{
    return count == 1 ? " was" : " were";
}

} // namespace

void Collector::judgeRail(Rail& rail, bool others, bool othersLive, std::vector<Finding>& findings)
{
    const std::string& name = rail.spec.name;
    const auto say = [&](Weight weight, Message text) {
        take(findings, {weight, std::move(text), name});
    };
    for (const energy::Implausible& found : rail.watch.findings(others))
        say(found.concern, found.reason);
    if (rail.watch.isDead()) {
        rail.dead = true;
        say(othersLive ? Weight::Doubtful : Weight::Poor,
            Message("%1 is zero in all of its %2 rows, which a device in operation never is: its "
                    "energy is not known.",
                    name, rail.watch.count()));
    }
    constexpr double kOverlap = 0.01;
    if (rail.overlap_s > kOverlap * rail.stated_s)
        say(Weight::Poor,
            Message("Windows of %1 overlap by %2 s of %3 s, so that a sum counts energy twice.",
                    name, formatSignificant(rail.overlap_s), formatSignificant(rail.stated_s)));
    const double span = m_last > m_first ? toSeconds(m_last - m_first) - rail.gaps_s : 0.0;
    constexpr std::int64_t kFewRows = 4;
    if (rail.spec.rule == Rule::Interval && !rail.spec.coarse_stamps && rail.samples > kFewRows
        && rail.stated_s < 0.5 * span)
        say(Weight::Doubtful,
            Message("The rows of %1 state lengths of %2 s in all, but their times span %3 s.", name,
                    formatSignificant(rail.stated_s), formatSignificant(span)));
    if (const auto row = rail.groups.otherRow(); row
        && (hasOneScale(rail.spec.measured) || rail.spec.changes_only)
        && rail.spec.rule != Rule::Counter)
        say(Weight::Doubtful,
            Message("Some values of %1, such as that of row %2, are about a thousand times the "
                    "others, or a thousandth of them: the unit may change.",
                    name, *row));
    if (rail.restarts.count > 0)
        say(Weight::Doubtful,
            Message("The counter of %1 starts again at %2; the energy of that step is lost.", name,
                    rail.restarts.text()));
    if (rail.wrapped.count > 0)
        say(rail.wrap_unsure ? Weight::Doubtful : Weight::Note,
            Message("The counter of %1 begins again at zero after %2, at %3; the sum goes on.",
                    name, formatEnergy(Millijoules{rail.range_j * kMillijoulesPerJoule}),
                    rail.wrapped.text()));
}

// A counter of the same energy must agree.
void Collector::judgeTwins(std::vector<Finding>& findings) const
{
    constexpr std::int64_t kMin = 4;
    for (const Rail& rail : m_rails) {
        const auto twin = m_names.find(rail.spec.counted_with);
        if (rail.spec.counted_with.empty() || twin == m_names.end() || rail.samples < kMin)
            continue;
        // A sum over fewer rows lacks the energy of the others.
        const Rail& other = m_rails[twin->second];
        if (const auto apart = energy::contradiction(other.spec.name, other.joules, rail.joules))
            take(findings, {apart->concern, apart->reason, other.spec.name});
    }
}

// The parts of a division, such as the cores of a package, cannot draw more than their whole.
void Collector::judgeDivision(Division division, std::string_view whole,
                              std::vector<Finding>& findings)
{
    double parts = 0.0;
    double wholes = 0.0;
    std::string names;
    std::string wholeNames;
    const auto join = [](std::string& list, const std::string& name) {
        list += (list.empty() ? "" : " + ") + name;
    };
    for (const Rail& rail : m_rails) {
        if (rail.spec.part == whole && !rail.dead && rail.spec.counted_with.empty()) {
            wholes += rail.joules;
            join(wholeNames, rail.spec.name);
        } else if (rail.spec.part == "part" && rail.spec.rule != Rule::Counter
                   && kindOf(rail.spec.name).division == division) {
            parts += rail.joules;
            join(names, rail.spec.name);
        }
    }
    constexpr double kSensors = 1.05; // rails are read at slightly different times
    if (names.empty() || wholeNames.empty() || parts <= kSensors * wholes)
        return;
    for (const Rail& rail : m_rails) {
        if (rail.spec.part == whole && rail.spec.counted_with.empty())
            take(
                findings,
                {Weight::Doubtful,
                 Message("%1 draw more than %2, which is said to contain them.", names, wholeNames),
                 rail.spec.name});
    }
}

void Collector::judgeWholes(std::vector<Finding>& findings)
{
    judgeDivision(Division::Processor, "cpu", findings);
    judgeDivision(Division::Chips, "gpu", findings);
    judgeDivision(Division::Inputs, "gpu", findings);
    double parts = 0.0;
    std::string names;
    for (const Rail& rail : m_rails) {
        if (!isPart(rail.spec.part) || !rail.spec.counted_with.empty() || rail.dead)
            continue;
        parts += rail.joules;
        names += (names.empty() ? "" : " + ") + rail.spec.name;
    }
    for (Rail& rail : m_rails) {
        const bool system = rail.spec.part == "system";
        if ((!system && rail.spec.part != "sum") || names.empty() || rail.samples < 2 || rail.dead)
            continue;
        double contained = parts;
        if (!system) { // some sums leave out the memory
            for (const Rail& other : m_rails)
                contained -= other.spec.part == "dram" ? other.joules : 0.0;
        }
        const auto above = energy::partsAboveWhole(names, contained, rail.spec.name, rail.joules);
        if (!above)
            continue;
        if (system && !rail.spec.by_word) {
            take(findings, {above->concern, above->reason, rail.spec.name});
            continue;
        }
        rail.spec.part = "part";
        take(
            findings,
            {Weight::Doubtful,
             Message("%1 is less than %2, so it does not contain them and is read as a rail of its "
                     "own.",
                     rail.spec.name, names),
             rail.spec.name});
    }
}

void Collector::judge(std::vector<Finding>& findings)
{
    const bool others = std::ranges::any_of(m_rails, [](const Rail& rail) {
        return rail.watch.count() > 0 && !rail.watch.flatUnderLoad()
            && rail.spec.rule != Rule::Counter;
    });
    for (Rail& rail : m_rails) {
        const bool othersLive = std::ranges::any_of(m_rails, [&](const Rail& other) {
            return &other != &rail && other.most_w > 0.0 && other.joules > 0.0;
        });
        judgeRail(rail, others, othersLive, findings);
    }
    judgeTwins(findings);
    judgeWholes(findings);
}

const char* name(Rule rule)
{
    return wordOf(std::array{"trap", "hold", "interval", "joules", "counter"}, rule);
}

const char* title(Rule rule)
{
    return wordOf(
        std::array{"trapezoid between neighbouring samples", "each value stands until the next one",
                   "mean power times the length of each row", "sum of the energies of the rows",
                   "last minus first value of the counter"},
        rule);
}

const char* verdictName(Verdict verdict)
{
    return wordOf(std::array{"good", "doubtful", "poor"}, verdict);
}

Verdict Recording::verdict() const
{
    Verdict worst = Weight::Note;
    for (const Finding& finding : findings)
        worst = std::max(worst, finding.weight);
    return worst;
}

std::vector<Message> Recording::notes() const
{
    std::vector<Message> texts;
    for (const Finding& finding : findings)
        texts.push_back(finding.text);
    return texts;
}

const RailRecording* Recording::rail(const std::string& name) const
{
    const auto found = std::ranges::find(rails, name, &RailRecording::name);
    return found == rails.end() ? nullptr : &*found;
}

void Collector::describeTrouble(Recording& recording)
{
    auto& findings = recording.findings;
    const auto say = [&](Weight weight, Message text) {
        findings.push_back({weight, std::move(text)});
    };
    if (m_sorted)
        say(Weight::Note, "The rows are not in the order of their times; they were sorted.");
    if (m_jitter)
        say(Weight::Note, "Times go back a little between packets; the rows were sorted.");
    if (m_repeated.count > 0)
        say(Weight::Note, Message("Duplicate rows were counted once: %1.", m_repeated.text()));
    if (m_sameTime.count > 0) {
        const bool many = 10 * m_sameTime.count > m_total;
        say(many ? Weight::Doubtful : Weight::Note,
            Message(many ? "Rows with the time of the previous row, but other values: %1; the "
                           "times are too coarse for this sensor's interval."
                         : "Rows with the time of the previous row, but other values: %1.",
                    m_sameTime.text()));
    }
    if (m_setBack.count > 0)
        say(Weight::Doubtful,
            Message("The clock was set back by %1 at row %2; only the longest piece with one clock "
                    "is used, %3 left out.",
                    stepText(m_setBackBy), m_setBackFrom,
                    m_setBack.text() + wasOrWere(m_setBack.count)));
    if (m_unavailable.count > 0)
        say(Weight::Note,
            Message("No value in %1: the energy of that time is missing, not zero.",
                    m_unavailable.text()));
    Nanoseconds lost = 0;
    Nanoseconds largest = 0;
    for (const auto& gap : m_gaps) {
        const Nanoseconds length = gap.first.second - gap.first.first;
        lost = std::min(lost + std::min(length, kLongestLength), 4 * kLongestLength);
        largest = std::max(largest, length);
    }
    if (!m_gaps.empty())
        say(Weight::Note,
            Message(m_gaps.size() == 1 ? "%1 gap of %2 in all (the largest %3): a phase that "
                                         "overlaps one has no energy."
                                       : "%1 gaps of %2 in all (the largest %3): a phase that "
                                         "overlaps one has no energy.",
                    m_gaps.size(), stepText(lost), stepText(largest)));
    constexpr Nanoseconds kUnusual = 4;
    if (m_usualStep > 0 && m_largestBridged > kUnusual * m_usualStep)
        say(Weight::Note,
            Message("The largest step between samples is %1, the usual one %2.",
                    stepText(m_largestBridged), stepText(m_usualStep)));
}

Status Collector::finish(Recording& recording, const ReadOptions& options)
{
    if (const Status summed = flush(); !summed)
        return summed;
    for (Rail& rail : m_rails) {
        joinWraps(rail);
        if (const Status meant = checkMeaning(rail, options); !meant)
            return meant;
    }
    recording.first_ns = m_first;
    recording.last_ns = m_last;
    describeTrouble(recording);
    judge(recording.findings);
    recording.findings.insert(recording.findings.begin(), m_notes.begin(), m_notes.end());
    const auto isWanted = [&](const std::string& name) {
        return options.rails.empty()
            || std::ranges::find(options.rails, name) != options.rails.end();
    };
    std::erase_if(recording.findings, [&](const Finding& finding) {
        return !finding.rail.empty() && !isWanted(finding.rail);
    });
    for (Rail& rail : m_rails) {
        recording.rows = std::max(recording.rows, rail.samples + rail.unavailable);
        if (!isWanted(rail.spec.name) || rail.samples == 0)
            continue;
        const bool poor =
            rail.dead || std::ranges::any_of(recording.findings, [&](const Finding& finding) {
                return finding.weight == Weight::Poor
                    && (finding.rail.empty() || finding.rail == rail.spec.name);
            });
        recording.rails.push_back(
            {.name = rail.spec.name,
             .rule = rail.spec.rule,
             .samples = rail.samples,
             .unavailable = rail.unavailable,
             .joules = rail.joules,
             .covered_s = rail.covered_s,
             .least_w = rail.samples > 0 && rail.most_w >= rail.least_w ? rail.least_w : 0.0,
             .most_w = rail.most_w >= rail.least_w ? rail.most_w : 0.0,
             .part = rail.spec.part,
             .poor = poor,
             .windows = std::move(rail.windows)});
    }
    std::ranges::sort(recording.rails, {}, &RailRecording::name);
    return {};
}

} // namespace ep::powerlog

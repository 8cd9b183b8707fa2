// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the rails of a recording can be correct: each by itself, and wholes with their parts.
#include "collector.h"
#include "log.h"
#include "rails.h"

#include "ep/core/format.h"

#include <algorithm>
#include <array>

namespace ep::powerlog {

namespace {

Weight weightOf(energy::Concern concern)
{
    switch (concern) {
    case energy::Concern::Note:
        return Weight::Note;
    case energy::Concern::Doubtful:
        return Weight::Doubtful;
    case energy::Concern::Poor:
        break;
    }
    return Weight::Poor;
}

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

} // namespace

void Collector::judgeRail(Rail& rail, bool others, bool othersLive, std::vector<Finding>& findings)
{
    const std::string& name = rail.spec.name;
    const auto say = [&](Weight weight, Message text) {
        take(findings, {weight, std::move(text), name});
    };
    for (const energy::Implausible& found : rail.watch.findings(others))
        say(weightOf(found.concern), found.reason);
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
            take(findings, {weightOf(apart->concern), apart->reason, other.spec.name});
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
            take(findings, {weightOf(above->concern), above->reason, rail.spec.name});
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

} // namespace ep::powerlog

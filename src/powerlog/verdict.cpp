// SPDX-License-Identifier: GPL-3.0-or-later
// Judges a recording: what its rails are, and what was found wrong with it.
#include "collector.h"
#include "log.h"

#include "ep/core/format.h"

#include <algorithm>

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

std::string stepText(Nanoseconds ns)
{
    return formatDuration(ns);
}

std::string wasOrWere(std::int64_t count)
{
    return count == 1 ? " was" : " were";
}

} // namespace

const char* name(Rule rule)
{
    switch (rule) {
    case Rule::Trapezoid:
        return "trap";
    case Rule::Hold:
        return "hold";
    case Rule::Interval:
        return "interval";
    case Rule::Joules:
        return "joules";
    case Rule::Counter:
        break;
    }
    return "counter";
}

const char* title(Rule rule)
{
    switch (rule) {
    case Rule::Trapezoid:
        return "trapezoid between neighbouring samples";
    case Rule::Hold:
        return "each value stands until the next one";
    case Rule::Interval:
        return "mean power times the length of each row";
    case Rule::Joules:
        return "sum of the energies of the rows";
    case Rule::Counter:
        break;
    }
    return "last minus first value of the counter";
}

const char* verdictName(Verdict verdict)
{
    switch (verdict) {
    case Weight::Note:
        return "good";
    case Weight::Doubtful:
        return "doubtful";
    case Weight::Poor:
        break;
    }
    return "poor";
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
    const auto say = [&](Weight weight, std::string text) {
        findings.push_back({weight, std::move(text)});
    };
    if (m_sorted)
        say(Weight::Note, "The rows are not in the order of their times; they were sorted.");
    if (m_jitter)
        say(Weight::Note, "Times go back a little between packets; the rows were sorted.");
    if (m_repeated.count > 0)
        say(Weight::Note, Message("Duplicate rows were counted once: %1.", m_repeated.text()));
    if (m_sameTime.count > 0) {
        const bool many = 2 * m_sameTime.count > m_total;
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
    if (m_restarts.count > 0)
        say(Weight::Doubtful,
            Message("A counter starts again at %1; the energy of that step is lost.",
                    m_restarts.text()));
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

// Whether the rails of a recording can all be correct.
void Collector::judge(Recording& recording)
{
    const bool others = std::ranges::any_of(m_rails, [](const Rail& rail) {
        return rail.watch.count() > 0 && !rail.watch.flatUnderLoad()
            && rail.spec.rule != Rule::Counter;
    });
    const auto take = [&](const energy::Implausible& found) {
        const Finding finding{weightOf(found.concern), found.reason};
        if (std::ranges::find(recording.findings, finding) == recording.findings.end())
            recording.findings.push_back(finding);
    };
    double parts = 0.0;
    std::string partNames;
    for (const Rail& rail : m_rails) {
        for (const energy::Implausible& found : rail.watch.findings(others))
            take(found);
        constexpr double kOverlap = 0.01;
        if (rail.overlap_s > kOverlap * rail.stated_s)
            take({energy::Concern::Poor,
                  "Windows of " + rail.spec.name + " overlap by "
                      + formatSignificant(rail.overlap_s) + " s of "
                      + formatSignificant(rail.stated_s)
                      + " s, so that a sum counts energy twice."});
        const std::string& part = rail.spec.part;
        if ((part == "cpu" || part == "gpu" || part == "ane" || part == "dram")
            && rail.spec.counted_with.empty()) {
            parts += rail.joules;
            partNames += (partNames.empty() ? "" : " + ") + rail.spec.name;
        }
        if (rail.spec.counted_with.empty())
            continue;
        const auto twin = m_names.find(rail.spec.counted_with);
        constexpr std::int64_t kMin = 4;
        if (twin != m_names.end() && rail.samples >= kMin) {
            const Rail& other = m_rails[twin->second];
            // A sum over fewer rows lacks the energy of the others.
            if (const auto apart =
                    energy::contradiction(other.spec.name, other.joules, rail.joules))
                take(*apart);
        }
    }
    for (const Rail& rail : m_rails) {
        if (rail.spec.part != "system" || partNames.empty() || rail.samples < 2)
            continue;
        if (const auto above =
                energy::partsAboveWhole(partNames, parts, rail.spec.name, rail.joules))
            take(*above);
    }
}

Status Collector::finish(Recording& recording, const ReadOptions& options)
{
    if (const Status summed = flush(); !summed)
        return summed;
    recording.first_ns = m_first;
    recording.last_ns = m_last;
    describeTrouble(recording);
    judge(recording);
    recording.findings.insert(recording.findings.begin(), m_notes.begin(), m_notes.end());
    for (Rail& rail : m_rails) {
        recording.rows = std::max(recording.rows, rail.samples + rail.unavailable);
        const bool wanted = options.rails.empty()
            || std::ranges::find(options.rails, rail.spec.name) != options.rails.end();
        if (!wanted || rail.samples == 0)
            continue;
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
             .windows = std::move(rail.windows)});
    }
    std::ranges::sort(recording.rails, {}, &RailRecording::name);
    return {};
}

} // namespace ep::powerlog

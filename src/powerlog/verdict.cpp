// SPDX-License-Identifier: GPL-3.0-or-later
// Judges a recording: what its rails are, and what was found wrong with it.
#include "collector.h"
#include "log.h"

#include "ep/core/format.h"

#include <algorithm>

namespace ep::powerlog {

namespace {

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

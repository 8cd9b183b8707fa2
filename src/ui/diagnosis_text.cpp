// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis_text.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;
using energy::Diagnosis;
using energy::Finding;
using energy::Judgement;
using energy::Remedy;

QString amountText(const Diagnosis& diagnosis, double value)
{
    return toQString(energy::formatAmount(diagnosis, value));
}

QString shareText(const energy::Estimate& share)
{
    const energy::Interval ci = share.ci95();
    return translated("%1 (%2 to %3)")
        .arg(toQString(formatPercent(share.value)), toQString(formatPercent(std::max(0.0, ci.low))),
             toQString(formatPercent(std::max(0.0, ci.high))));
}

struct Instruction {
    std::string_view terminal;
    std::string_view window;
};
constexpr std::array kInstructions{
    Instruction{"Measure this machine's limits with `energy-profiler roofline`.",
                "Measure this machine's limits."},
    Instruction{
        "Measure this machine's limits with `energy-profiler roofline`, when it is otherwise idle.",
        "Measure this machine's limits while nothing else runs."},
    Instruction{"Record again with --depth module and --baseline-seconds 10.",
                "Record again at depth Module, with an idle baseline of 10 s."},
    Instruction{"Record again with --depth deep, and compare with --device cpu.",
                "Record again at depth Deep, and compare with the processor."},
    Instruction{"Record again with --depth deep, which counts the experts of each step.",
                "Record again at depth Deep, which counts the experts of each step."},
    Instruction{"Record again with --depth module.", "Record again at depth Module."},
    Instruction{"Repeat with pauses (a study with cool_down_seconds), with a source that reads the "
                "thermal state.",
                "Repeat with pauses, with a source that reads the thermal state."},
    Instruction{"Record again with --twin, which tells the cost apart.",
                "Record again with a twin, which tells the cost apart."},
    Instruction{"Machine limits unknown: measure them with `energy-profiler roofline`.",
                "Machine limits unknown."},
    Instruction{"This machine's limits are the best rates of this run; `energy-profiler roofline` "
                "measures them.",
                "This machine's limits are the best rates of this run, not measured."}};

// The sentence with its first `count` parts, with or without the largest phase.
QString answerWith(const energy::AnswerParts& parts, std::size_t count, bool phase)
{
    QString text;
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [share, on] = parts.parts[i];
        if (i == 0)
            text = translated("%1 of %2 went into %3")
                       .arg(toQString(share), toQString(parts.amount), term(on));
        else
            text += (i + 1 < count ? translated(", %1 into %2") : translated(" and %1 into %2"))
                        .arg(toQString(share), term(on));
    }
    if (phase && !parts.main_share.empty())
        text += translated("; %1 was spent in %2")
                    .arg(toQString(parts.main_share), term(parts.main_phase));
    return text + u'.';
}

} // namespace

QString evidenceText(const Finding& finding)
{
    QStringList sentences;
    if (!finding.figures.empty()) {
        QString seen = term(energy::factsOf(finding.cause).evidence);
        for (const std::string& figure : finding.figures)
            seen = seen.arg(term(figure));
        sentences << seen;
    }
    if (!finding.remark.empty())
        sentences << term(finding.remark);
    return sentences.join(u' ');
}

QString inWindow(const std::string& sentence)
{
    const auto found = std::ranges::find(kInstructions, sentence, &Instruction::terminal);
    return term(found == kInstructions.end() ? std::string_view(sentence) : found->window);
}

QString answerText(const energy::Diagnosis& diagnosis)
{
    return answerTexts(diagnosis).front();
}

QStringList answerTexts(const energy::Diagnosis& diagnosis)
{
    const energy::AnswerParts parts = energy::answerPartsOf(diagnosis);
    if (parts.nothing)
        return {term(parts.nothing)};
    QStringList texts{answerWith(parts, parts.parts.size(), true)};
    for (std::size_t count = parts.parts.size(); count > 0; --count)
        texts << answerWith(parts, count, false);
    return texts;
}

QString leadText(const session::Explanation& explanation)
{
    QStringList sentences;
    if (const std::string unusual = explanation.unusualLine(); !unusual.empty())
        sentences << term(unusual);
    if (const QString reason = reasonText(explanation.diagnosis); !reason.isEmpty())
        sentences << reason;
    return sentences.join(u' ');
}

QString reasonText(const energy::Diagnosis& diagnosis)
{
    const energy::AnswerParts parts = energy::answerPartsOf(diagnosis);
    if (parts.nothing)
        return {};
    QString text;
    if (parts.spent_on)
        text = translated("%1 of %2 is %3: ")
                   .arg(toQString(parts.spent_share), term(parts.phase), term(parts.spent_on));
    if (!parts.cause_share.empty())
        text += translated("for %1 of the run, ").arg(toQString(parts.cause_share));
    text += term(parts.conclusion) + u'.';
    text.front() = text.front().toUpper();
    return text;
}

QString causeTitle(const Diagnosis& diagnosis, const Finding& finding)
{
    QString text = term(energy::factsOf(finding.cause).title);
    if (finding.explained.value > 0.0)
        text += u": "_s + amountText(diagnosis, finding.explained.value) + u", "_s
            + shareText(finding.share);
    return text;
}

QString causeText(const Diagnosis& diagnosis, const Finding& finding)
{
    const QString text = causeTitle(diagnosis, finding) + u". "_s;
    if (finding.judgement != Judgement::CannotTell)
        return text + evidenceText(finding);
    return text
        + translated("Not enough data (probability %1). ")
              .arg(toQString(formatPercent(finding.probability)))
        + term(finding.missing);
}

QStringList doubtTexts(const Diagnosis& diagnosis, bool window)
{
    QStringList lines;
    std::vector<std::pair<std::string, QStringList>> unknown; // what would settle them, and which
    for (const Finding& finding : diagnosis.findings) {
        if (finding.judgement != Judgement::CannotTell)
            continue;
        if (finding.explained.value > 0.0) {
            lines << causeText(diagnosis, finding);
            continue;
        }
        auto same = std::ranges::find(unknown, finding.missing,
                                      &std::pair<std::string, QStringList>::first);
        if (same == unknown.end())
            same = unknown.insert(same, {finding.missing, {}});
        same->second << term(energy::factsOf(finding.cause).title);
    }
    for (const auto& [missing, causes] : unknown)
        lines << causes.join(u", "_s) + u". "_s + (window ? inWindow(missing) : term(missing));
    return lines;
}

QString remedyTitle(const Remedy& remedy)
{
    return remedy.lever == energy::Lever::NumberFormat
        ? translated("Compute in %1").arg(toQString(remedy.setting))
        : term(remedy.what);
}

QString remedyText(const Diagnosis& diagnosis, const Remedy& remedy, bool how)
{
    QString text = remedyTitle(remedy);
    if (remedy.saving && remedy.share) {
        const energy::Interval ci = remedy.saving->ci95();
        text +=
            translated(": saves %1 (%2 to %3), %4 of the run, predicted")
                .arg(amountText(diagnosis, remedy.saving->value), amountText(diagnosis, ci.low),
                     amountText(diagnosis, ci.high), toQString(formatPercent(remedy.share->value)));
    } else {
        text += translated(": needs a test run");
    }
    const bool here = remedy.trial != energy::Trial::Elsewhere;
    if (here && !how)
        return text + u'.';
    return text + (here ? u" (%1)."_s : u". %1"_s).arg(term(remedy.how));
}

QString triedText(const session::TriedRemedy& tried)
{
    const AdviceRecord& advice = tried.advice;
    return translated("Tried %1: predicted %2, observed %3")
        .arg(toQString(advice.lever + ' ' + advice.setting),
             shareText({advice.share.value, advice.share.sd}),
             tried.observed ? shareText(*tried.observed) : translated("nothing yet"));
}

QString trackRecordText(const std::vector<session::TriedRemedy>& tried)
{
    const auto known = std::ranges::count_if(
        tried, [](const session::TriedRemedy& one) { return one.observed.has_value(); });
    const auto held =
        std::ranges::count_if(tried, [](const session::TriedRemedy& one) { return one.held; });
    if (known == 0)
        return {};
    return known == 1
        ? translated("Such advice held %1 of 1 time on this machine.").arg(held)
        : translated("Such advice held %1 of %2 times on this machine.").arg(held).arg(known);
}

} // namespace ep::ui

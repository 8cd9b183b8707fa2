// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis_text.h"

#include "ep/ui/terms.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ep::ui {

namespace {

using energy::Diagnosis;

struct Instruction {
    std::string_view terminal;
    std::string_view window;
};
constexpr std::array kInstructions{
    Instruction{"Measure this machine's limits with `energy-profiler calibrate`.",
                "Measure this machine's limits."},
    Instruction{"Measure this machine's limits with `energy-profiler calibrate`, when it is "
                "otherwise idle.",
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
    Instruction{"Machine limits unknown: measure them with `energy-profiler calibrate`.",
                "Machine limits unknown."}};

Message reworded(const std::string& sentence)
{
    const auto found = std::ranges::find(kInstructions, sentence, &Instruction::terminal);
    return found == kInstructions.end() ? std::string_view(sentence) : found->window;
}

} // namespace

QString inWindow(const std::string& sentence)
{
    return term(reworded(sentence));
}

QStringList answerTexts(const Diagnosis& diagnosis)
{
    QStringList texts;
    for (const Message& answer : energy::answersOf(diagnosis))
        texts << term(answer);
    return texts;
}

QString leadText(const session::Explanation& explanation)
{
    QStringList sentences{term(explanation.unusualLine()),
                          explanation.diagnosis.reason.empty()
                              ? QString()
                              : term(energy::reasonOf(explanation.diagnosis))};
    sentences.removeAll(QString());
    for (QString& sentence : sentences)
        sentence.front() = sentence.front().toUpper();
    return sentences.join(u' ');
}

QStringList doubtTexts(const Diagnosis& diagnosis, bool window)
{
    QStringList lines;
    for (const Message& doubt :
         energy::doubtsOf(diagnosis, window ? energy::Reword(reworded) : energy::Reword()))
        lines << term(doubt);
    return lines;
}

} // namespace ep::ui

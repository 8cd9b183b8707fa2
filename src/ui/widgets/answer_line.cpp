// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/answer_line.h"

#include "text.h"

#include "ep/ui/terms.h"

namespace ep::ui {

namespace {

// Sum of all sections of one name; time: their durations added up.
AnswerSection sumOf(const std::vector<AnswerSection>& sections, std::string_view name)
{
    AnswerSection sum{.name = name};
    for (const AnswerSection& section : sections) {
        if (section.name != name)
            continue;
        sum.tokens += section.tokens;
        sum.time.end_ns += section.time.duration_ns();
        sum.energy.add(section.energy);
    }
    return sum;
}

} // namespace

AnswerLine::AnswerLine(QWidget* parent)
    : QLabel(parent)
{
    setObjectName(QStringLiteral("answerSections"));
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setRun(nullptr);
}

void AnswerLine::setRun(const Run* run)
{
    setSections(run ? answerSections(*run) : std::vector<AnswerSection>());
}

void AnswerLine::setSections(const std::vector<AnswerSection>& sections)
{
    QStringList parts;
    for (const std::string_view name : {kThinkingSection, kAnswerSection}) {
        const AnswerSection sum = sumOf(sections, name);
        if (sum.time.empty())
            continue;
        const QString tokens = sum.tokens == 1
            ? tr("1 token")
            : tr("%1 tokens").arg(sum.tokens > 0 ? QString::number(sum.tokens) : missingText());
        const QString time = durationText(sum.time.duration_ns());
        parts << (sum.energy.energy_mj
                      ? tr("%1: %2 in %3, %4 (%5 per token)")
                            .arg(term(name), tokens, time, toQString(formatEnergy(sum.energy)),
                                 energyPerTokenText(sum.joulesPerToken()))
                      : tr("%1: %2 in %3").arg(term(name), tokens, time));
    }
    const QString line = parts.join(QStringLiteral(" · "));
    if (text() != line)
        setText(line);
    setVisible(!parts.isEmpty());
}

} // namespace ep::ui

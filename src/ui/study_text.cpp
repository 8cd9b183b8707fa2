// SPDX-License-Identifier: GPL-3.0-or-later
#include "study_text.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"

#include <algorithm>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

QString figure(const energy::SampleStatistics& value, const QString& unit, double factor = 1.0)
{
    if (value.n == 0)
        return QString::fromUtf8(kMissingText);
    QString text = toQString(formatSignificant(value.mean * factor)) + u' ' + unit;
    if (value.ci95)
        text += translated(" (%1 to %2)")
                    .arg(toQString(formatSignificant(value.ci95->low * factor)),
                         toQString(formatSignificant(value.ci95->high * factor)));
    return text;
}

} // namespace

std::vector<int> numbersIn(const QString& text, int most)
{
    std::vector<int> numbers;
    for (const QString& part : text.split(u',', Qt::SkipEmptyParts)) {
        bool ok = false;
        const int number = part.trimmed().toInt(&ok);
        if (!ok || number < 1 || number > most)
            return {};
        if (std::find(numbers.begin(), numbers.end(), number) == numbers.end())
            numbers.push_back(number);
    }
    return numbers;
}

std::vector<session::StudyPrompt> promptsIn(const QString& text)
{
    std::vector<session::StudyPrompt> prompts;
    QString paragraph;
    const auto finish = [&] {
        const QString prompt = paragraph.trimmed();
        paragraph.clear();
        if (prompt.isEmpty())
            return;
        prompts.push_back({"prompt " + std::to_string(prompts.size() + 1), prompt.toStdString()});
    };
    for (const QString& line : text.split(u'\n')) {
        if (line.trimmed().isEmpty())
            finish();
        else
            paragraph += (paragraph.isEmpty() ? u""_s : u"\n"_s) + line;
    }
    finish();
    return prompts;
}

QString studyReportText(const session::StudyReport& report)
{
    QString text = translated("%1 of %2 runs").arg(report.done).arg(report.steps) + u'\n';
    QString machine;
    for (const session::StudyGroup& group : report.groups) {
        const QString title = toQString(group.machine) + u"; "_s + toQString(group.source);
        if (title != machine)
            text += u'\n' + title + u'\n';
        machine = title;
        text += u"  "_s + term(report.cells[group.cell].label) + u": "_s
            + figure(group.joules_per_token, translated("J/token")) + u", "_s
            + figure(group.joules_per_total_token, translated("J/(in + out)")) + u", "_s
            + figure(group.tokens_per_second, translated("tokens/s"))
            + translated(" (%1 runs)").arg(group.duration_s.n) + u'\n';
    }
    for (const Message& winner : report.winners)
        text += u'\n' + term(winner) + u'\n';
    for (const Message& caution : report.cautions)
        text += u'\n' + term(caution) + u'\n';
    return text;
}

} // namespace ep::ui

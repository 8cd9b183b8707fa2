// SPDX-License-Identifier: GPL-3.0-or-later
#include "study_text.h"

#include "text.h"

#include "ep/core/run_figure.h"
#include "ep/ui/terms.h"

#include <algorithm>
#include <utility>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

std::vector<std::string> valuesIn(const QString& text, std::string_view setting)
{
    const session::RunSetting& row = session::runSetting(setting);
    std::vector<std::string> values;
    for (const QString& part : text.split(u',', Qt::SkipEmptyParts)) {
        session::RunRequest run;
        if (!session::readSetting(row, part.trimmed().toStdString(), run))
            return {};
        const std::string value = session::textOf(row, run);
        if (std::find(values.begin(), values.end(), value) == values.end())
            values.push_back(value);
    }
    return values;
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
            + countText(group.duration_s.n);
        for (const auto& [figure, sample] :
             {std::pair(RunFigure::JoulesPerToken, &group.joules_per_token),
              std::pair(RunFigure::JoulesPerTotalToken, &group.joules_per_total_token),
              std::pair(RunFigure::TokensPerSecond, &group.tokens_per_second)})
            text += u", "_s + term(heading(figure)) + u' ' + term(cellText(figure, *sample));
        text += u'\n';
    }
    for (const Message& winner : report.winners)
        text += u'\n' + term(winner) + u'\n';
    for (const Message& caution : report.cautions)
        text += u'\n' + term(caution) + u'\n';
    return text;
}

} // namespace ep::ui

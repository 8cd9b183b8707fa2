// SPDX-License-Identifier: GPL-3.0-or-later
// What a token says about itself: its description, its details, and its row in the table.
#include "ep/core/answer_sections.h"
#include "ep/core/format.h"
#include "ep/ui/charts/token_stream_view.h"
#include "ep/ui/terms.h"
#include "ep/viz/metric.h"

namespace ep::ui {

QString TokenStreamView::describe(int index) const
{
    const TokenSpan& token = m_tokens[static_cast<std::size_t>(index)].token;
    QString text =
        tr("Token %1 “%2”, id %3\nTime: %4")
            .arg(QString::number(token.index), m_tokens[static_cast<std::size_t>(index)].text,
                 QString::number(token.id), toQString(formatDuration(token.time.duration_ns())));
    if (token.phase == Phase::Prefill)
        text += tr(" (prefill of the whole prompt)");
    if (const auto section = m_tokens[static_cast<std::size_t>(index)].section; !section.empty())
        text += u'\n' + term(section);
    if (isAfterAnswer(token))
        text += tr("\nAfter the answer was complete");
    text += tr("\nEnergy: %1 (%2)")
                .arg(toQString(formatEnergy(token.energy.total_mj)),
                     energyLabel(m_source,
                                 token.energy.total_mj ? token.energy.provenance
                                                       : Provenance::Missing));
    if (token.probability)
        text += tr("\nProbability: %1")
                    .arg(toQString(formatPercent(static_cast<double>(*token.probability))));
    return text;
}

void TokenStreamView::updateDescription()
{
    if (m_cursor)
        setAccessibleDescription(describe(current()));
    else
        setAccessibleDescription(m_tokens.empty() ? m_emptyText : tr("%1 tokens").arg(count()));
}

ChartDetails TokenStreamView::detailsOf(std::size_t index) const
{
    const TokenSpan& token = m_tokens[index].token;
    ChartDetails details;
    details.title = tr("Token %1 “%2”").arg(QString::number(token.index), m_tokens[index].text);
    details.rows = {
        {tr("Id"), QString::number(token.id)},
        {tr("Position"), QString::number(token.position)},
        {tr("Phase"), term(viz::title(token.phase))},
        {tr("Time"), toQString(formatDuration(token.time.duration_ns()))},
        {tr("Energy"), toQString(formatEnergy(token.energy.total_mj))},
        {tr("Provenance"),
         energyLabel(m_source,
                     token.energy.total_mj ? token.energy.provenance : Provenance::Missing)}};
    if (token.energy.total_mj && token.time.duration_ns() > 0)
        details.rows.emplace_back(
            tr("Mean power"),
            toQString(formatPower(meanPower(*token.energy.total_mj, token.time.duration_ns()))));
    if (token.probability)
        details.rows.emplace_back(
            tr("Probability"), toQString(formatPercent(static_cast<double>(*token.probability))));
    if (token.drafted)
        details.rows.emplace_back(tr("Drafted for this step"), QString::number(*token.drafted));
    return details;
}

ChartTable TokenStreamView::table() const
{
    ChartTable table;
    table.headings << tr("Token") << tr("Text") << tr("Id") << tr("Time (ms)") << tr("Energy (mJ)")
                   << tr("Probability");
    for (const Chip& chip : m_tokens)
        table.rows.push_back(
            {numberCell(chip.token.index), textCell(toQString(chip.token.text)),
             numberCell(chip.token.id, 9),
             numberCell(toMilliseconds(chip.token.time.duration_ns())),
             chip.token.energy.total_mj ? numberCell(chip.token.energy.total_mj->value)
                                        : missingCell(),
             chip.token.probability ? numberCell(static_cast<double>(*chip.token.probability), 4)
                                    : missingCell()});
    return table;
}

} // namespace ep::ui

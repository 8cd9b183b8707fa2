// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/ledger_card.h"

#include "text.h"

#include "ep/core/token_ledger.h"

#include <QObject>

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

std::int64_t producedTokens(const RunTrace& trace)
{
    std::int64_t tokens = 0;
    for (const TokenSpan& step : trace.tokens)
        tokens += step.sequences;
    return tokens;
}

} // namespace

FigureCard ledgerCard(const Run& run)
{
    FigureCard card;
    const TokenCounts counts = tokenCounts(run.info.execution);
    if (!counts.any() || producedTokens(run.trace) != run.info.output_tokens)
        return card;
    card.id = u"ledger"_s;
    card.title = translated("Where the tokens came from");
    if (!counts.draft.empty())
        card.note = translated("Draft by %1").arg(toQString(counts.draft));
    const TokenLedger ledger = tokenLedger(run.info, run.trace);
    const auto add = [&](const QString& id, const QString& title, const TokenLedger::Row& row,
                         const QString& explanation) {
        const QString energy =
            row.energy.spans > 0 ? toQString(formatEnergy(row.energy)) : missingText();
        card.rows.push_back({id, title,
                             translated("%1 tokens, %2").arg(QString::number(row.tokens), energy),
                             explanation});
    };
    if (counts.cached) {
        add(u"ledger_cached"_s, translated("Prompt, cached"), ledger.cached,
            translated("Taken from the prompt cache, which costs nothing"));
    }
    add(u"ledger_computed"_s, translated("Prompt, computed"), ledger.computed,
        translated("Energy of the step that reads the prompt"));
    if (!counts.draft.empty()) {
        add(u"ledger_drafted"_s, translated("Drafted"), ledger.drafted,
            translated("Energy of proposing them"));
        add(u"ledger_accepted"_s, translated("Accepted, of the drafted ones"), ledger.accepted,
            translated("Their share of the steps that confirmed them"));
        add(u"ledger_rejected"_s, translated("Rejected, of the drafted ones"), ledger.rejected,
            translated("Their share of the steps that rejected them"));
    }
    add(u"ledger_own"_s, counts.draft.empty() ? translated("Output") : translated("Not drafted"),
        ledger.own, translated("The rest of the decoding steps"));
    card.rows.push_back({u"ledger_between"_s, translated("Between steps"),
                         toQString(formatEnergy(ledger.between.energy)),
                         translated("What prefill and decode used outside of their steps")});
    return card;
}

} // namespace ep::ui

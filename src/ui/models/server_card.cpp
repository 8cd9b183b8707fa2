// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/server_card.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/core/no_layers.h"
#include "ep/ui/terms.h"

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

FigureCard serverCard(const Run& run)
{
    FigureCard card;
    if (!run.info.profiling.server)
        return card;
    const ServerRecord& server = *run.info.profiling.server;
    card.id = u"server"_s;
    card.title = serverText(run);
    QStringList notes = serverRefusals(run);
    for (const std::string& note : server.notes)
        notes << term(note);
    notes << term(whyNoLayers(run.info));
    card.note = notes.join(u'\n');
    int index = 0;
    for (const auto& [title, value] : tokenRows(server))
        card.rows.push_back(
            {u"server_tokens_%1"_s.arg(index++), term(title), term(value), QString()});
    const auto addTime = [&](const char* id, const QString& title,
                             const std::optional<Nanoseconds>& time) {
        if (time)
            card.rows.push_back({toQString(id), title, durationText(*time), QString()});
    };
    addTime("server_load", translated("Load, by the server"), server.load_ns);
    addTime("server_prompt", translated("Prompt, by the server"), server.prompt_ns);
    addTime("server_decode", translated("Decode, by the server"), server.decode_ns);
    addTime("server_client_decode", translated("Decode, by this program"), server.client_decode_ns);
    return card;
}

QString serverText(const Run& run)
{
    const auto& server = run.info.profiling.server;
    return server
        ? translated("%1 at %2").arg(toQString(server->engine), toQString(server->address))
        : QString();
}

QStringList serverRefusals(const Run& run)
{
    QStringList lines;
    if (run.info.profiling.server) {
        for (const std::string& refusal : run.info.profiling.server->refusals)
            lines << toQString(refusal);
    }
    return lines;
}

} // namespace ep::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/command_card.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/ui/terms.h"

#include <QObject>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

FigureCard commandCard(const Run& run)
{
    FigureCard card;
    if (!run.info.profiling.command)
        return card;
    const CommandRecord& command = *run.info.profiling.command;
    card.id = u"command"_s;
    card.title = toQString(commandText(command.arguments));
    QStringList notes;
    for (const std::string& note : command.notes)
        notes << term(note);
    const auto add = [&](const char* id, const QString& title, const QString& value) {
        card.rows.push_back({toQString(id), title, value, QString()});
    };
    if (command.exit_status)
        add("command_exit", translated("Exit status"), QString::number(*command.exit_status));
    if (command.signal)
        add("command_signal", translated("Ended by signal"), QString::number(*command.signal));
    if (command.processor_ns)
        add("command_processor", translated("Processor time"), durationText(*command.processor_ns));
    if (command.peak_memory_bytes)
        add("command_memory", translated("Memory, at most"),
            toQString(formatBytes(*command.peak_memory_bytes)));
    add("command_processes", translated("Processes"), QString::number(command.processes));
    if (command.spans) {
        const SpanCounts& spans = *command.spans;
        add("command_spans", translated("Spans in the run"), QString::number(spans.kept));
        if (spans.mapped_share)
            add("command_mapped", translated("Forward passes with a known name"),
                toQString(formatPercent(*spans.mapped_share)));
        QStringList unknown;
        for (const std::string& one : spans.unknown)
            unknown << toQString(one);
        if (!unknown.isEmpty())
            notes << translated("Names without a place in the vocabulary: %1")
                         .arg(unknown.join(u", "_s));
    }
    card.note = notes.join(u'\n');
    return card;
}

} // namespace ep::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/core/run.h"
#include "ep/json/message.h"

namespace ep::store {

// A value in which each message is its English text.
ep::json::OrderedJson inEnglish(const ep::json::OrderedJson& value);
RunInfo inEnglish(RunInfo info);

// Calls visit(message) for each message of a run's record.
template <typename Info, typename Visit> // RunInfo or const RunInfo
void visitMessages(Info& info, const Visit& visit)
{
    const auto all = [&](auto& messages) {
        for (auto& message : messages)
            visit(message);
    };
    visit(info.status_message);
    visit(info.notes);
    visit(info.power.detail);
    visit(info.power.notice);
    all(info.execution.notes);
    visit(info.profiling.clock_note);
    if (auto& server = info.profiling.server) {
        all(server->refusals);
        all(server->notes);
    }
    if (auto& command = info.profiling.command)
        all(command->notes);
    if (auto& quality = info.power.quality)
        all(quality->reasons);
    if (auto& attribution = info.power.attribution) {
        visit(attribution->note);
        if (auto& calibration = attribution->calibration) {
            for (auto& kind : calibration->kinds)
                visit(kind.problem);
        }
    }
}

// Visits the messages of the secondary sources.
template <typename Sources, typename Visit>
void visitSourceMessages(Sources& sources, const Visit& visit)
{
    for (auto& source : sources) {
        visit(source.detail);
        visit(source.notice);
    }
}

} // namespace ep::store

// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_request.h"

#include "ep/core/command_words.h"

#include <QSysInfo>

#include <utility>

namespace ep::session {

Result<power::SourceChoice> powerOf(const StudySpec& spec, const StudyOptions& options)
{
    if (options.like && options.like->power.kind == spec.power)
        return options.like->power;
    return power::parseSourceChoice(spec.power);
}

Result<RunRequest> studyRequest(const StudySpec& spec, const StudyCell& cell,
                                const std::string& tag, const StudyOptions& options,
                                const KnownBaseline* baseline)
{
    RunRequest request = options.like.value_or(RunRequest());
    request.server.reset();
    request.record.reset();
    if (cell.server) {
        request.server = ServerTarget{.address = cell.server->address,
                                      .model = cell.server->model,
                                      .dialect = cell.server->dialect,
                                      .token = options.server_token};
    } else if (!cell.command.empty()) {
        // Users who wait for the verdict do not need the command's output, only its errors.
        request.record = {.arguments = cell.command, .umask = umaskAtStart(), .prints = false};
    } else {
        const auto folder = options.findModel(cell.model);
        if (!folder)
            return folder.error();
        request.load = {
            .folder = *folder, .device = cell.device, .dtype = cell.dtype, .threads = spec.threads};
        request.levers = cell.levers;
        if (!cell.levers.draft.empty() && cell.levers.draft != kNgramDraft) {
            const auto draft = options.findModel(cell.levers.draft);
            if (!draft)
                return draft.error();
            request.levers.draft = draft->string();
        }
    }
    auto power = powerOf(spec, options);
    if (!power)
        return power.error();
    request.prompt = cell.prompt.text;
    request.conversations = cell.prompt.conversations;
    request.chat = spec.chat ? ChatUse::IfThere : ChatUse::Off;
    request.batch_size = cell.batch_size;
    request.max_new_tokens = cell.output_tokens;
    request.depth = cell.depth;
    request.sampling = spec.sampling;
    request.ignore_eos = spec.fixed_length;
    request.power = std::move(*power);
    request.interval_ms = spec.interval_ms;
    request.warmup_tokens = spec.warmup_tokens;
    request.warmup_settled = spec.warmup_settled;
    request.tags = spec.tags;
    request.tags.push_back(tag);
    request.tags.push_back("host:" + QSysInfo::machineHostName().toStdString());
    request.experiment = spec.name;
    request.database = options.database;
    request.store_texts = options.store_texts;
    if (baseline != nullptr)
        request.known_baseline = *baseline;
    else
        request.baseline_seconds = spec.baseline_seconds;
    return request;
}

} // namespace ep::session

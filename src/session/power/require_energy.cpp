// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/require_energy.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ep::session {

namespace {

std::size_t sequencesOf(const RunRequest& request)
{
    const std::size_t prompts = request.conversations.empty() ? 1 + request.further_prompts.size()
                                                              : request.conversations.size();
    return prompts * static_cast<std::size_t>(std::max(1, request.batch_size));
}

// Settings that exclude each other.
struct Conflict {
    bool (*found)(const RunRequest&);
    ErrorCode code;
    const char* sentence;
};

const std::array kConflicts{
    Conflict{[](const RunRequest& run) {
                 const bool levers = !run.levers.draft.empty() || run.levers.prompt_cache;
                 return levers && !run.server && !run.record && sequencesOf(run) > 1;
             },
             ErrorCode::Unsupported,
             "Drafts and the prompt cache work for one sequence at a time: give one prompt, "
             "without copies."},
    Conflict{
        [](const RunRequest& run) { return !run.conversations.empty() && !run.system.empty(); },
        ErrorCode::InvalidInput,
        "Messages have a system message of their own: leave out the other one."},
    Conflict{[](const RunRequest& run) {
                 return run.chat == ChatUse::Off && !run.server && run.conversations.empty()
                     && !run.template_variables.empty();
             },
             ErrorCode::InvalidInput,
             "Variables are for a chat template: apply the template, or leave them out."}};

} // namespace

Status checkTogether(const RunRequest& request)
{
    const auto conflict =
        std::ranges::find_if(kConflicts, [&](const Conflict& each) { return each.found(request); });
    return conflict == kConflicts.end() ? Status() : Error{conflict->code, conflict->sentence};
}

Status requireEnergy(const Backend& backend, power::SourceChoice choice, int intervalMs,
                     const std::string& device)
{
    if (choice.kind != "auto")
        return {};
    choice.argument = device;
    const auto feed = backend.makePowerFeed();
    const Status started =
        feed->start(choice, intervalMs,
                    {.sample = [](const PowerSample&) {}, .problem = [](const std::string&) {}});
    if (!started)
        return started;
    const bool delivers = feed->kind() != "none";
    const std::string reason = feed->reason();
    feed->stop();
    return delivers ? Status() : Error{ErrorCode::InvalidInput, reason};
}

} // namespace ep::session

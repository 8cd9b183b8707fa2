// SPDX-License-Identifier: GPL-3.0-or-later
#include "client_job.h"

#include "ep/json/document.h"

#include <algorithm>
#include <array>

namespace ep::api {

namespace {

constexpr std::array kJobHeaders{"x-job-id", "x-session-id", "x-conversation-id", "session-id",
                                 "session_id"};
constexpr std::array kJobFields{"job_id", "session_id", "conversation_id", "thread_id",
                                "prompt_cache_key"};

std::string usableJob(const std::string& id)
{
    const bool printable = std::ranges::all_of(
        id, [](char c) { return c > ' ' && c < '\x7f' && c != ','; }); // commas separate tags
    return printable && id.size() <= kLongestJob ? id : std::string();
}

std::string jobIn(const json::Json& object)
{
    for (const char* field : kJobFields) {
        const auto found = object.find(field);
        if (found == object.end() || !found->is_string())
            continue;
        std::string job = usableJob(found->get<std::string>());
        if (!job.empty())
            return job;
    }
    return {};
}

} // namespace

std::string jobOfHead(const HttpRequest& request)
{
    for (const char* name : kJobHeaders) {
        if (const auto value = request.header(name)) {
            std::string job = usableJob(*value);
            if (!job.empty())
                return job;
        }
    }
    return {};
}

std::string jobOfBody(std::string_view body)
{
    // Most requests name none of these fields and need not be parsed again.
    const bool named = std::ranges::any_of(kJobFields, [&](const char* field) {
        return body.find('"' + std::string(field) + '"') != std::string_view::npos;
    });
    if (!named)
        return {};
    const auto document = json::parse(body);
    if (!document || !document->is_object())
        return {};
    std::string job = jobIn(*document);
    const auto metadata = document->find("metadata");
    if (job.empty() && metadata != document->end() && metadata->is_object())
        job = jobIn(*metadata);
    return job;
}

} // namespace ep::api

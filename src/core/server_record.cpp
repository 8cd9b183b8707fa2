// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/server_record.h"

namespace ep {

namespace {

std::string counted(const std::optional<std::int64_t>& tokens)
{
    return tokens ? std::to_string(*tokens) : "not stated by the server";
}

} // namespace

std::vector<ServerRow> tokenRows(const ServerRecord& server)
{
    std::vector<ServerRow> rows{
        {"Prompt tokens", counted(server.prompt_tokens)},
        {"Cached prompt tokens", counted(server.cached_tokens)},
        {"Uncached prompt tokens (J/input token)", counted(server.uncached_tokens)},
        {"Output tokens (J/token)", counted(server.output_tokens)},
    };
    if (server.output_tokens && *server.output_tokens > 0)
        rows.emplace_back("Decoded after the first (J/decoded token)",
                          std::to_string(*server.output_tokens - 1));
    if (server.reasoning_tokens)
        rows.emplace_back("Reasoning tokens, in the output",
                          std::to_string(*server.reasoning_tokens));
    if (server.draft_tokens)
        rows.emplace_back("Draft tokens", std::to_string(*server.draft_tokens));
    if (server.draft_accepted_tokens)
        rows.emplace_back("Draft tokens accepted, in the output",
                          std::to_string(*server.draft_accepted_tokens));
    return rows;
}

} // namespace ep

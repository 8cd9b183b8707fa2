// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/stated_tokens.h"

#include "ep/core/format.h"

namespace ep {

std::optional<std::int64_t> inputTokens(const RunInfo& info)
{
    if (info.profiling.command && info.input_tokens == 0) // no span said
        return std::nullopt;
    const auto& server = info.profiling.server;
    return server && !server->prompt_tokens ? std::nullopt
                                            : std::optional<std::int64_t>(info.input_tokens);
}

std::optional<std::int64_t> outputTokens(const RunInfo& info)
{
    if (info.profiling.command && info.output_tokens == 0)
        return std::nullopt;
    const auto& server = info.profiling.server;
    return server && !server->output_tokens ? std::nullopt
                                            : std::optional<std::int64_t>(info.output_tokens);
}

std::string tokensText(const std::optional<std::int64_t>& tokens)
{
    return tokens ? std::to_string(*tokens) : kMissingText;
}

bool isUnstated(const RunInfo& info, std::string_view field)
{
    return (field == "input_tokens" && !inputTokens(info))
        || (field == "output_tokens" && !outputTokens(info));
}

} // namespace ep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/stated_tokens.h"

#include "ep/core/format.h"

namespace ep {

namespace {

// True for a recorded command whose spans did not say, or a power recording without its requests.
bool mayBeUnknown(const RunInfo& info)
{
    return info.profiling.command || info.device == "imported";
}

} // namespace

int batchSize(const RunInfo& info)
{
    return info.batch.empty() ? 1 : static_cast<int>(info.batch.size());
}

std::optional<std::int64_t> inputTokens(const RunInfo& info)
{
    if (mayBeUnknown(info) && info.input_tokens == 0)
        return std::nullopt;
    const auto& server = info.profiling.server;
    return server && !server->prompt_tokens ? std::nullopt
                                            : std::optional<std::int64_t>(info.input_tokens);
}

std::optional<std::int64_t> outputTokens(const RunInfo& info)
{
    if (mayBeUnknown(info) && info.output_tokens == 0)
        return std::nullopt;
    const auto& server = info.profiling.server;
    return server && !server->output_tokens ? std::nullopt
                                            : std::optional<std::int64_t>(info.output_tokens);
}

void addStated(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& tokens)
{
    if (tokens)
        sum = sum.value_or(0) + *tokens;
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

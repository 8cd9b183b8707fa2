// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/format.h"
#include "ep/session/find_program.h"
#include "ep/session/pays_runner.h"
#include "ep/session/run_settings.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ep::session {

namespace {

Error sideError(const std::string& text, const Message& problem)
{
    return {ErrorCode::InvalidInput, {"The setting '%1' cannot be used: %2", text, problem}};
}

bool isDevice(const std::string& word)
{
    return word == "cpu" || word == "mps" || word == "cuda" || word.starts_with("cuda:");
}

bool isAddress(const std::string& word)
{
    return word.starts_with("http://") || word.starts_with("https://")
        || (!word.empty()
            && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; }));
}

// Reads a whole number of 1 or more; `key` is its word in a side.
Status readCount(const PaysSide& side, const std::string& key, const std::string& value,
                 std::string_view setting, int& count)
{
    const int most = static_cast<int>(numberSetting(setting).most);
    const char* end = value.data() + value.size();
    const auto read = std::from_chars(value.data(), end, count);
    if (read.ec == std::errc() && read.ptr == end && count >= 1 && count <= most)
        return {};
    return sideError(side.text, Message("'%1' must be a whole number from 1 to %2.", key, most));
}

// The key of a side that is a single word.
std::string sideKeyOf(const std::string& word)
{
    return model::isFormatChoice(word) ? "dtype"
        : isDevice(word)               ? "device"
        : isAddress(word)              ? "server"
                                       : "model";
}

Status setLever(PaysSide& side, const std::string& key, const std::string& value)
{
    if (key == "kv-cache") {
        const auto kind = model::cacheKindFromName(value);
        if (!kind)
            return sideError(side.text, "'kv-cache' must be growing, static or q8_0.");
        side.levers.cache = *kind;
    } else if (key == "draft") {
        side.levers.draft = value == "none" ? std::string() : value;
    } else if (key == "draft-tokens") {
        return readCount(side, key, value, "draft_tokens", side.levers.draft_tokens);
    } else if (key == "prompt-cache") {
        if (value != "on" && value != "off")
            return sideError(side.text, "'prompt-cache' must be on or off.");
        side.levers.prompt_cache = value == "on";
    } else {
        return sideError(side.text,
                         Message("'%1' is none of model, dtype, device, threads, batch, kv-cache, "
                                 "prompt-cache, draft, draft-tokens, server and dialect.",
                                 key));
    }
    return {};
}

Status setSide(PaysSide& side, StudyServer& server, const std::string& key,
               const std::string& value)
{
    if (value.empty())
        return sideError(side.text, Message("'%1' has no value.", key));
    if (key == "model") {
        side.model = value;
    } else if (key == "device") {
        side.device = value;
    } else if (key == "server") {
        server.address = value;
    } else if (key == "dialect") {
        server.dialect = value;
    } else if (key == "dtype" || key == "format") {
        if (!model::isFormatChoice(value))
            return sideError(side.text, Message("'%1' is no number format.", value));
        side.dtype = value;
    } else if (key == "threads") {
        return readCount(side, key, value, "threads", side.threads);
    } else if (key == "batch") {
        return readCount(side, key, value, "batch_size", side.batch_size);
    } else {
        return setLever(side, key, value);
    }
    return {};
}

} // namespace

Result<PaysSide> parsePaysSide(const std::string& text, const std::string& model)
{
    PaysSide side{.text = text};
    StudyServer server;
    std::string rest = text;
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string part = rest.substr(0, comma);
        rest.erase(0, comma + (comma < rest.size() ? 1 : 0));
        const std::size_t equals = part.find('=');
        const bool keyed = equals != std::string::npos && !isAddress(part);
        const Status set = keyed
            ? setSide(side, server, part.substr(0, equals), part.substr(equals + 1))
            : setSide(side, server, sideKeyOf(part), part);
        if (!set)
            return set.error();
    }
    if (!server.address.empty()) {
        server.model = side.model.empty() ? model : side.model;
        const PaysSide usual{.text = side.text, .model = side.model};
        if (side != usual)
            return sideError(text,
                             "a server has only a model and a dialect here; set the others "
                             "where it is started.");
        side.model.clear();
        side.server = server;
        return side;
    }
    if (!server.dialect.empty())
        return sideError(text, "a dialect needs a server.");
    if (side.model.empty())
        side.model = model;
    if (side.model.empty())
        return sideError(text, "it names no model; give one with --model.");
    return side;
}

Result<PaysSide> paysCommand(const std::string& text)
{
    auto words = startableWords(text);
    if (!words)
        return words.error();
    return PaysSide{.text = text, .command = *std::move(words)};
}

} // namespace ep::session

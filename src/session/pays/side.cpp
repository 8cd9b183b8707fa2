// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/command_record.h"
#include "ep/model/format.h"
#include "ep/session/find_program.h"
#include "ep/session/pays_runner.h"
#include "ep/session/run_settings.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ep::session {

namespace {

Error sideError(const Message& text, const Message& problem)
{
    return {ErrorCode::InvalidInput, {"The setting '%1' cannot be used: %2", text, problem}};
}

bool isAddress(const std::string& word)
{
    return word.starts_with("http://") || word.starts_with("https://")
        || (!word.empty()
            && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; }));
}

// The key of a side that is a single word.
std::string sideKeyOf(const std::string& word)
{
    return model::isFormatChoice(word)     ? "dtype"
        : runSetting("device").names(word) ? "device"
        : isAddress(word)                  ? "server"
                                           : "model";
}

std::string keysOfSides()
{
    std::string keys = "model, server, dialect";
    for (const RunSetting& row : runSettings()) {
        if ((row.places & kInSides) != 0)
            keys += ", " + std::string(row.option.substr(2));
    }
    return keys;
}

Status setSide(NamedSettings& side, ServerTarget& server, const std::string& key,
               const std::string& value)
{
    if (value.empty())
        return sideError(side.label, Message("'%1' has no value.", key));
    if (key == "model") {
        side.run.load.folder = value;
    } else if (key == "server") {
        server.address = value;
    } else if (key == "dialect") {
        server.dialect = value;
    } else if (const RunSetting* row = settingCalled(key == "batch"        ? "batch_size"
                                                         : key == "format" ? "dtype"
                                                                           : key)) {
        if ((row->places & kInSides) == 0)
            return sideError(side.label, Message("'%1' %2.", key, elsewhereText(*row)));
        const bool without = row->name == "draft" && value == "none";
        const Status possible = readSetting(*row, without ? std::string() : value, side.run);
        if (!possible && row->values.check)
            return sideError(side.label, possible.error().message);
        if (!possible)
            return sideError(side.label, Message("'%1' must be %2.", key, valuesText(*row)));
    } else {
        return sideError(side.label, Message("'%1' is none of %2.", key, keysOfSides()));
    }
    return {};
}

} // namespace

RunRequest usualOfPairs(RunRequest like)
{
    const RunRequest usual = usualOfStudies();
    like.depth = Depth::None;
    like.ignore_eos = usual.ignore_eos;
    like.warmup_tokens = usual.warmup_tokens;
    like.warmup_settled = usual.warmup_settled;
    like.baseline_seconds = 0.0;
    like.known_baseline.reset();
    like.record.reset();
    return like;
}

Result<NamedSettings> parseSide(const std::string& text, const RunRequest& like)
{
    NamedSettings side{.label = text, .run = like};
    side.run.server.reset();
    ServerTarget server;
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
        server.model = side.model();
        RunRequest usual = like;
        usual.server.reset();
        usual.load.folder = side.run.load.folder;
        for (const RunSetting& row : runSettings()) {
            if ((row.places & kWithServers) != 0)
                static_cast<void>(readSetting(row, textOf(row, side.run), usual));
        }
        if (side.run != usual)
            return sideError(text,
                             Message("a server has only a model, a dialect and a temperature here; "
                                     "set the others where it is started."));
        return serverSide(text, server, side.run);
    }
    if (!server.dialect.empty())
        return sideError(text, Message("a dialect needs a server."));
    if (side.run.load.folder.empty())
        return sideError(text, "it names no model; give one with --model.");
    return side;
}

NamedSettings serverSide(const std::string& text, const ServerTarget& server,
                         const RunRequest& like)
{
    NamedSettings side{.label = text, .run = like};
    side.run.server = server;
    side.run.load = {};
    side.run.levers = {};
    side.run.batch_size = 1;
    return side;
}

Result<NamedSettings> commandSide(const std::string& text, const RunRequest& like)
{
    auto words = startableWords(text);
    if (!words)
        return words.error();
    NamedSettings side{.label = text, .run = like};
    side.run.server.reset();
    // Users who wait for the verdict do not need the command's output, only its errors.
    side.run.record = {.arguments = *std::move(words), .umask = umaskAtStart(), .prints = false};
    return side;
}

} // namespace ep::session

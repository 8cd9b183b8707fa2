// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/nvml_source.h"
#include "sources/source_table.h"

#include "ep/core/number_text.h"
#include "ep/power/source.h"

namespace ep::power {

namespace {
Error badWatts(const std::string& text)
{
    return {ErrorCode::InvalidInput,
            {"The power source '%1' is not understood; write modelled:IDLE,FULL with watts, such "
             "as modelled:5,35.",
             text}};
}

Result<SourceChoice> parseModelled(const std::string& text, const std::string& watts)
{
    SourceChoice choice;
    choice.kind = "modelled";
    const auto comma = watts.find(',');
    if (comma == std::string::npos)
        return badWatts(text);
    const auto idle = ep::readNumber(watts.substr(0, comma));
    const auto full = ep::readNumber(watts.substr(comma + 1));
    if (!idle || !full)
        return badWatts(text);
    choice.idle_watts = *idle;
    choice.full_watts = *full;
    if (auto valid = validateWatts(choice); !valid)
        return valid.error();
    return choice;
}
} // namespace

Status validateWatts(const SourceChoice& choice)
{
    if (choice.idle_watts >= 0.0 && choice.full_watts > 0.0
        && choice.full_watts >= choice.idle_watts)
        return {};
    return Error{ErrorCode::InvalidInput,
                 "The modelled power source needs 0 <= idle watts <= full watts, and full watts "
                 "above 0; correct the two values."};
}

Result<SourceChoice> parseSourceChoice(const std::string& text)
{
    const auto colon = text.find(':');
    SourceChoice choice;
    choice.kind = text.substr(0, colon);
    const std::string argument = colon == std::string::npos ? "" : text.substr(colon + 1);
    if (choice.kind == "replay") {
        if (argument.empty())
            return Error{ErrorCode::InvalidInput,
                         "The power source 'replay' needs a capture; write replay:FILE."};
        choice.argument = argument;
        return choice;
    }
    if (choice.kind == "nvml" && colon != std::string::npos) {
        const auto devices = parseNvmlDevices(argument);
        if (!devices)
            return devices.error();
        choice.argument = argument;
        return choice;
    }
    if (choice.kind == "modelled" && colon != std::string::npos)
        return parseModelled(text, argument);
    if (choice.kind != "auto" && choice.kind != "none" && !isKnownSource(choice.kind))
        return unknownSource(choice.kind);
    if (colon != std::string::npos)
        return Error{
            ErrorCode::InvalidInput,
            {"The power source '%1' takes no argument; omit ':%2'.", choice.kind, argument}};
    return choice;
}

Message noSensor()
{
    return Message("No power sensor works on this machine, so there are times and no energies: ask "
                   "for --power modelled (estimates them from the processor's load) or --power "
                   "none; energy-profiler doctor says how to measure.");
}

} // namespace ep::power

// SPDX-License-Identifier: GPL-3.0-or-later
#include "metaspace.h"

namespace ep::text {

namespace {

Metaspace::Prefix readPrefix(const json::Value& json)
{
    const std::string name = json.asString();
    if (name == "always")
        return Metaspace::Prefix::Always;
    if (name == "first")
        return Metaspace::Prefix::First;
    if (name == "never")
        return Metaspace::Prefix::Never;
    json.fail(Message("is %1; it must be always, first or never", json::inQuotes(name)));
}

} // namespace

Metaspace readMetaspace(const json::Value& json)
{
    Metaspace result;
    result.replacement = json.at("replacement").asCharacter();
    result.split = json.boolean("split", true);
    // Files written before prepend_scheme only have add_prefix_space.
    const bool addsPrefix = json.boolean("add_prefix_space", true);
    if (const auto scheme = json.find("prepend_scheme")) {
        result.prefix = readPrefix(*scheme);
        if (!addsPrefix && result.prefix != Metaspace::Prefix::Never)
            scheme->fail("contradicts add_prefix_space, which is false");
    } else if (!addsPrefix) {
        result.prefix = Metaspace::Prefix::Never;
    }
    return result;
}

} // namespace ep::text

// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as JSON. The three ways of reading it agree, and accepted input can be walked, copied,
// compared, written and read again.
#include "ep/core/utf8.h"
#include "ep/json/document.h"
#include "ep/json/value.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace {

using ep::json::Json;
using ep::json::Value;

void require(bool holds)
{
    if (!holds)
        std::abort();
}

int depthOf(const Value& value)
{
    int deepest = 0;
    if (value.isArray()) {
        for (const Value& element : value.elements())
            deepest = std::max(deepest, depthOf(element));
    } else if (value.isObject()) {
        for (const Json& member : value.json())
            deepest = std::max(deepest, depthOf(value.part(member)));
    } else {
        return 0;
    }
    if (value.size() > 0) {
        const Json& last = *std::prev(value.json().end());
        require(ep::isValidUtf8(value.part(last).place()));
    }
    return deepest + 1;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::istringstream stream{std::string(text)};
    const auto piecewise = ep::json::parse(
        stream, [](int, Json::parse_event_t, ep::json::OrderedJson&) { return true; });
    const auto ordered = ep::json::parseOrdered(text);
    const auto json = ep::json::parse(text);
    if (!json) {
        require(!json.error().message.empty() && ep::isValidUtf8(json.error().message.english()));
        require(!piecewise && !ordered && !ep::json::parseUniqueKeys(text));
        return 0;
    }
    require(piecewise.has_value() == ordered.has_value());
    if (ordered) // otherwise an object had too many members
        require(Json(*piecewise) == *json && *ordered == *piecewise);
    require(depthOf(Value(*json)) <= ep::json::kMaxDepth);
    const Json copy = *json;
    const auto again = ep::json::parseUniqueKeys(copy.dump());
    require(again && *again == copy);
    return 0;
}

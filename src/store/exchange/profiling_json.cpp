// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/profiling_json.h"

#include "tables/packed_span.h"
#include "tables/record_members.h"

#include <vector>

namespace ep::store {

namespace {

using OrderedJson = nlohmann::ordered_json;
using Parsed = nlohmann::ordered_json;

std::string headsKey(const char* key)
{
    return std::string(key) + "_heads";
}

} // namespace

OrderedJson profilingJson(const ProfilingRecord& record)
{
    return MemberWriter::valueOf(record);
}

void readProfiling(const Parsed& json, ProfilingRecord& record)
{
    MemberReader::read(json, record);
}

std::string profilingText(const ProfilingRecord& record)
{
    return record == ProfilingRecord() ? "{}" : dumped(profilingJson(record));
}

void readProfilingText(const std::string& text, ProfilingRecord& record)
{
    if (text != "{}")
        readProfiling(parsed(text), record);
}

OrderedJson extrasJson(const OperationExtras& extras)
{
    OrderedJson heads = OrderedJson::object();
    OrderedJson json = OrderedJson::object();
    visitExtras(extras, [&](PackField, const char* key, const auto& value) {
        if constexpr (!std::is_same_v<decltype(value), const std::vector<float>&>) {
            MemberWriter{json}(key, value);
        } else if (!value.empty()) {
            heads[key] = *meanOf(value);
            heads[headsKey(key)] = value;
        }
    });
    heads.update(json); // the heads come first
    return heads;
}

OperationExtras readExtras(const Parsed& json)
{
    OperationExtras extras;
    if (!json.is_object())
        return extras;
    visitExtras(extras, [&](PackField, const char* key, auto& value) {
        if constexpr (!std::is_same_v<decltype(value), std::vector<float>&>) {
            MemberReader{json}(key, value);
        } else if (const auto found = json.find(headsKey(key));
                   found != json.end() && found->is_array()) {
            for (const Parsed& head : *found)
                value.push_back(head.is_number() ? head.template get<float>() : 0.0F);
        }
    });
    return extras;
}

std::optional<std::string> extrasText(const SharedExtras& extras)
{
    if (!extras)
        return std::nullopt;
    return extrasJson(*extras).dump();
}

SharedExtras readExtrasText(const std::string& text)
{
    return SharedExtras(readExtras(parsed(text)));
}

} // namespace ep::store

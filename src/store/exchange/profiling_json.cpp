// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/profiling_json.h"

#include "tables/packed_span.h"
#include "tables/record_fields.h"

#include "ep/json/record.h"

#include <vector>

namespace ep::store {

namespace {

using json::MemberReader;
using json::MemberWriter;
using json::OrderedJson;
using json::OrderedValue;

std::string headsKey(const char* key)
{
    return std::string(key) + "_heads";
}

} // namespace

OrderedJson profilingJson(const ProfilingRecord& record)
{
    return MemberWriter::valueOf(record);
}

void readProfiling(const OrderedJson& json, ProfilingRecord& record)
{
    MemberReader::read(OrderedValue(json), record);
}

std::string profilingText(const ProfilingRecord& record)
{
    return record == ProfilingRecord() ? "{}" : json::textOf(profilingJson(record));
}

void readProfilingText(const std::string& text, ProfilingRecord& record)
{
    if (text != "{}")
        readProfiling(json::parsedOrNull(text), record);
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

OperationExtras readExtras(const OrderedJson& json)
{
    OperationExtras extras;
    if (!json.is_object())
        return extras;
    const OrderedValue object(json);
    visitExtras(extras, [&](PackField, const char* key, auto& value) {
        if constexpr (!std::is_same_v<decltype(value), std::vector<float>&>) {
            MemberReader{object}(key, value);
        } else if (const auto found = json.find(headsKey(key));
                   found != json.end() && found->is_array()) {
            for (const OrderedJson& head : *found)
                value.push_back(head.is_number() ? head.template get<float>() : 0.0F);
        }
    });
    return extras;
}

std::optional<std::string> extrasText(const SharedExtras& extras)
{
    if (!extras)
        return std::nullopt;
    return json::textOf(extrasJson(*extras));
}

SharedExtras readExtrasText(const std::string& text)
{
    return SharedExtras(readExtras(json::parsedOrNull(text)));
}

} // namespace ep::store

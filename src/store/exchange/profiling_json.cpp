// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/profiling_json.h"

#include "tables/record_members.h"

#include <vector>

namespace ep::store {

namespace {

using OrderedJson = nlohmann::ordered_json;
using Parsed = nlohmann::ordered_json;

template <typename Record, typename Visit>
void visitHeads(Record& extras, Visit&& visit)
{
    visit("attention_entropy", extras.attention_entropy);
    visit("max_attention_weight", extras.max_attention_weight);
    visit("attention_sparsity", extras.attention_sparsity);
}

template <typename Record, typename Visit>
void visitSingles(Record& extras, Visit&& visit)
{
    visit("activation_kill_ratio", extras.activation_kill_ratio);
    visit("variance_ratio", extras.variance_ratio);
    visit("expert", extras.expert);
    visit("rows", extras.rows);
}

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
    OrderedJson json = OrderedJson::object();
    visitHeads(extras, [&](const char* key, const std::vector<float>& heads) {
        if (heads.empty())
            return;
        json[key] = *meanOf(heads);
        json[headsKey(key)] = heads;
    });
    visitSingles(extras, MemberWriter{json});
    return json;
}

OperationExtras readExtras(const Parsed& json)
{
    OperationExtras extras;
    if (!json.is_object())
        return extras;
    visitHeads(extras, [&](const char* key, std::vector<float>& heads) {
        const auto found = json.find(headsKey(key));
        if (found == json.end() || !found->is_array())
            return;
        for (const Parsed& value : *found)
            heads.push_back(value.is_number() ? value.get<float>() : 0.0F);
    });
    visitSingles(extras, MemberReader{json});
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

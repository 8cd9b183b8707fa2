// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiling_json.h"

#include <type_traits>
#include <utility>
#include <vector>

namespace ep::store {

namespace {

using OrderedJson = nlohmann::ordered_json;
using Parsed = nlohmann::json;

template <typename Record, typename Visit>
void visitTwin(Record& twin, Visit&& visit)
{
    visit("clean_prefill_ns", twin.clean_prefill_ns);
    visit("clean_decode_ns", twin.clean_decode_ns);
    visit("prefill_ns", twin.prefill_ns);
    visit("decode_ns", twin.decode_ns);
    visit("tokens", twin.tokens);
    visit("different_tokens", twin.different_tokens);
    visit("clean_mj", twin.clean_mj);
    visit("instrumented_mj", twin.instrumented_mj);
    visit("clean_prefill_begin_ns", twin.clean_prefill.begin_ns);
    visit("clean_prefill_end_ns", twin.clean_prefill.end_ns);
    visit("clean_decode_begin_ns", twin.clean_decode.begin_ns);
    visit("clean_decode_end_ns", twin.clean_decode.end_ns);
}

template <typename Scale, typename Visit>
void visitScale(Scale& scale, Visit&& visit)
{
    visit("prefill_time", scale.prefill.time);
    visit("prefill_energy", scale.prefill.energy);
    visit("decode_time", scale.decode.time);
    visit("decode_energy", scale.decode.energy);
}

template <typename Record, typename Visit>
void visitProfiling(Record& record, Visit&& visit)
{
    visit("computation", record.computation);
    visit("clock", record.clock);
    visit("clock_note", record.clock_note);
    visit("statistics_every", record.statistics_every);
    visit("spans", record.spans);
    visit("statistics", record.statistics);
    visit("span_cost_ns", record.span_cost_ns);
    visit("statistic_cost_ns", record.statistic_cost_ns);
    visit("cost_ns", record.cost_ns);
    visit("memory_bytes", record.memory_bytes);
    visit("exact_slowdown", record.exact_slowdown);
}

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

template <typename T>
struct IsOptional : std::false_type {
};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {
};

template <typename Field>
void putField(OrderedJson& json, const char* key, const Field& field)
{
    if constexpr (IsOptional<Field>::value) {
        if (field)
            json[key] = *field;
    } else {
        json[key] = field;
    }
}

template <typename T>
bool fits(const Parsed& value)
{
    if constexpr (std::is_same_v<T, std::string>)
        return value.is_string();
    else if constexpr (std::is_integral_v<T>)
        return value.is_number_integer();
    else
        return value.is_number();
}

template <typename Field>
void takeField(const Parsed& json, const char* key, Field& field)
{
    const auto found = json.find(key);
    if (found == json.end())
        return;
    if constexpr (IsOptional<Field>::value) {
        if (fits<typename Field::value_type>(*found))
            field = found->get<typename Field::value_type>();
    } else if (fits<Field>(*found)) {
        field = found->get<Field>();
    }
}

std::string headsKey(const char* key)
{
    return std::string(key) + "_heads";
}

} // namespace

OrderedJson profilingJson(const ProfilingRecord& record)
{
    OrderedJson json = OrderedJson::object();
    visitProfiling(record, [&](const char* key, const auto& field) { putField(json, key, field); });
    if (record.twin) {
        OrderedJson twin = OrderedJson::object();
        visitTwin(*record.twin,
                  [&](const char* key, const auto& field) { putField(twin, key, field); });
        if (record.twin->scale)
            visitScale(*record.twin->scale, [&](const char* key, double factor) {
                putField(twin["scale"], key, factor);
            });
        json["twin"] = std::move(twin);
    }
    return json;
}

void readProfiling(const Parsed& json, ProfilingRecord& record)
{
    if (!json.is_object())
        return;
    visitProfiling(record, [&](const char* key, auto& field) { takeField(json, key, field); });
    if (const auto twin = json.find("twin"); twin != json.end() && twin->is_object()) {
        record.twin.emplace();
        visitTwin(*record.twin,
                  [&](const char* key, auto& field) { takeField(*twin, key, field); });
        if (const auto scale = twin->find("scale"); scale != twin->end() && scale->is_object())
            visitScale(record.twin->scale.emplace(),
                       [&](const char* key, double& factor) { takeField(*scale, key, factor); });
    }
}

std::string profilingText(const ProfilingRecord& record)
{
    if (record == ProfilingRecord())
        return "{}";
    return profilingJson(record).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

void readProfilingText(const std::string& text, ProfilingRecord& record)
{
    if (text != "{}")
        readProfiling(Parsed::parse(text, nullptr, false), record);
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
    visitSingles(extras, [&](const char* key, const auto& field) { putField(json, key, field); });
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
    visitSingles(extras, [&](const char* key, auto& field) { takeField(json, key, field); });
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
    return SharedExtras(readExtras(Parsed::parse(text, nullptr, false)));
}

} // namespace ep::store

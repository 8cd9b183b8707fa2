// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/span_reader.h"

#include "exchange/profiling_json.h"

namespace ep::store {

namespace {

// About 30 years: sums of three such times cannot overflow.
constexpr Nanoseconds kLongest = 1'000'000'000'000'000'000;

} // namespace

void checkTime(Nanoseconds time, const JsonPlace& place, JsonProblem& problem)
{
    if (time > kLongest || time < -kLongest)
        problem.report(place, "has a time that is out of range");
}

namespace detail {

bool readTime(JsonObject& object, TimeRange& time, MayBeCut mayBeCut)
{
    JsonProblem& problem = object.problem();
    std::optional<Nanoseconds> start;
    std::optional<Nanoseconds> duration;
    object.require("start_ns", start);
    object.require("duration_ns", duration);
    object.ignore("start_ms");
    object.ignore("duration_ms");
    if (!start || !duration) {
        if (mayBeCut == MayBeCut::No || start || duration)
            problem.report(object.place(), "must have integers as start_ns and duration_ns");
        return false;
    }
    checkTime(*start, object.place(), problem);
    checkTime(*duration, object.place(), problem);
    if (*duration < 0)
        problem.report(object.place(), "has a negative duration_ns");
    if (!problem.found())
        time = {*start, *start + *duration};
    return true;
}

void readGroup(JsonObject& object, const char*, std::optional<SpanWork>& work)
{
    std::optional<std::int64_t> flops;
    std::optional<std::int64_t> bytes;
    object.read("flops", flops);
    object.read("bytes", bytes);
    for (const auto& count : {flops, bytes}) {
        if (count && *count < 0)
            object.problem().report(object.place(), "has negative flops or bytes");
    }
    if (flops || bytes)
        work = SpanWork{flops.value_or(0), bytes.value_or(0)};
}

void readGroup(JsonObject& object, const char*, SpanEnergyNotes& notes)
{
    std::optional<float> sd;
    std::optional<float> alternative;
    object.read("energy_sd_mj", sd);
    object.read("energy_alternative_mj", alternative);
    notes.sd_mj = sd.value_or(notes.sd_mj);
    notes.alternative_mj = alternative.value_or(notes.alternative_mj);
}

void readGroup(JsonObject& object, const char* member, std::optional<ActivationStats>& stats)
{
    const Json* value = object.find(member);
    if (!value || value->is_null())
        return;
    const JsonPlace place{&object.place(), member};
    JsonObject parts(*value, place, object.problem());
    stats.emplace();
    parts.require("mean_abs", stats->mean_abs);
    parts.require("std", stats->std);
    parts.require("max_abs", stats->max_abs);
    parts.require("sparsity", stats->sparsity);
}

void readGroup(JsonObject& object, const char* member, SharedExtras& extras)
{
    if (const Json* value = object.find(member))
        extras = SharedExtras(readExtras(*value));
}

void readGroup(JsonObject& object, const char* member, Instant<Nanoseconds> instant)
{
    object.read(member, instant.ns);
}

} // namespace detail

} // namespace ep::store

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/jobs.h"

#include <nlohmann/json.hpp>

namespace ep::session {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson jobNumber(const std::optional<double>& value)
{
    return value ? OrderedJson(*value) : OrderedJson();
}

OrderedJson jobCount(const std::optional<std::int64_t>& count)
{
    return count ? OrderedJson(*count) : OrderedJson();
}

} // namespace

std::string jobsJson(std::span<const Job> jobs, const std::optional<JobChecks>& checks)
{
    OrderedJson json{{"format", "energy-profiler-jobs"},
                     {"version", 1},
                     {"solved", checks ? OrderedJson(checks->count()) : OrderedJson()},
                     {"energy_per_solved_mj",
                      checks ? jobNumber(checks->millijoulesPerSolved(jobs)) : OrderedJson()},
                     {"jobs", OrderedJson::array()}};
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const Job& job = jobs[i];
        OrderedJson texts = OrderedJson::object();
        for (std::size_t text = 0; text < kJobTexts; ++text)
            texts[std::string(name(static_cast<JobText>(text)))] = jobNumber(job.text_mj[text]);
        const auto energy = job.energy.energy_mj;
        json["jobs"].push_back(
            {{"id", job.id},
             {"named", job.named},
             {"title", job.title},
             {"runs", job.runs},
             {"begin_ms", job.begin_ms},
             {"end_ms", job.end_ms},
             {"input_tokens", jobCount(job.input_tokens)},
             {"cached_tokens", jobCount(job.cached_tokens)},
             {"output_tokens", jobCount(job.output_tokens)},
             {"energy_mj", energy ? OrderedJson(energy->value) : OrderedJson()},
             {"energy_complete", job.energy.complete().has_value()},
             {"joules_per_token", jobNumber(job.joules_per_token)},
             {"joules_per_total_token", jobNumber(job.joules_per_total_token)},
             {"provenance", ep::name(job.energy.provenance)},
             {"prefill_by_text_mj", std::move(texts)},
             {"cache_saved_mj", jobNumber(job.cache_saved_mj)},
             {"waiting_ms", jobCount(job.waiting_ms)},
             {"waiting_mj", jobNumber(job.waiting_mj)},
             {"solved", checks ? OrderedJson(checks->solved.at(i)) : OrderedJson()}});
    }
    return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

} // namespace ep::session

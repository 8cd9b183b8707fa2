// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_list.h"

#include "temporary_file.h"

#include "ep/core/clock.h"
#include "ep/core/run_figure.h"
#include "ep/core/run_filter.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace ep::api {

namespace {

using Key = std::function<std::optional<double>(const RunSummary&)>;

// Sort keys of the list; missing values come last in either order.
const std::map<std::string, Key>& sortKeys()
{
    static const std::map<std::string, Key> keys = [] {
        std::map<std::string, Key> all{
            {"created_at",
             [](const RunSummary& run) { return static_cast<double>(run.info.created_at_ms); }},
            {"output_tokens",
             [](const RunSummary& run) { return static_cast<double>(run.info.output_tokens); }}};
        for (const RunFigureFacts& facts : kRunFigures) {
            all[facts.api] = [figure = facts.figure](const RunSummary& run) {
                return apiValueOf(figure, run);
            };
        }
        return all;
    }();
    return keys;
}

struct ListQuery {
    RunFilter filter;
    std::string sort = "created_at";
    bool ascending = false;
    std::int64_t offset = 0;
    std::int64_t limit = Parameter::kMaxInteger;
};

ListQuery readQuery(const HttpRequest& request)
{
    ListQuery query;
    RunFilter& filter = query.filter;
    const auto word = [&](const char* parameter, const char* alias = nullptr) {
        std::string text = queryText(request, parameter);
        if (text.empty() && alias)
            text = queryText(request, alias);
        return text.empty() ? std::vector<std::string>() : std::vector{std::move(text)};
    };
    filter.text = queryText(request, "search");
    filter.models = word("model", "model_name");
    filter.tags = word("tag", "tags");
    filter.experiments = word("experiment", "experiment_name");
    filter.statuses = word("status");
    filter.devices = word("device");
    filter.dtypes = word("dtype");
    filter.depths = word("profiling_depth");
    filter.sources = word("power_source");
    filter.from_ms = queryInteger(request, "from_ms");
    filter.until_ms = queryInteger(request, "to_ms");
    filter.least_joules = queryNumber(request, "min_joules_per_token");
    filter.most_joules = queryNumber(request, "max_joules_per_token");
    query.sort = queryText(request, "sort", query.sort);
    query.ascending = queryText(request, "order") == "asc";
    query.offset = queryInteger(request, "offset").value_or(0);
    query.limit = queryInteger(request, "limit").value_or(query.limit);
    return query;
}

// Writes a list item by item; anything beyond a limit goes to the disk.
HttpResponse longResponse(std::int64_t begin, std::int64_t end,
                          const std::function<std::string(std::int64_t)>& item, std::size_t limit)
{
    HttpResponse response;
    std::string text = "[";
    for (std::int64_t i = begin; i < end; ++i) {
        text += (i > begin ? "," : "") + item(i);
        if (text.size() < limit)
            continue;
        if (!response.file) {
            auto file = TemporaryFile::create();
            response.file = file ? std::move(*file) : nullptr;
        }
        if (response.file && response.file->append(text)) {
            text.clear();
        } else if (response.file && response.file->size() > 0) {
            return errorResponse(500, "There is no space for temporary files.");
        } else { // with a full disk, the list stays in memory
            response.file = nullptr;
            limit = std::numeric_limits<std::size_t>::max();
        }
    }
    text += ']';
    if (!response.file)
        response.body = std::move(text);
    else if (!response.file->append(text))
        return errorResponse(500, "There is no space for temporary files.");
    return response;
}

} // namespace

HttpResponse listRuns(Context& context, const HttpRequest& request)
{
    const ListQuery query = readQuery(request);
    const auto runs = context.runs();
    if (!runs)
        return failure(runs.error());
    std::vector<const RunSummary*> found;
    const std::int64_t now = wallClockMs();
    for (const RunSummary& run : **runs) {
        if (query.filter.accepts(run, now))
            found.push_back(&run);
    }
    const Key& key = sortKeys().at(query.sort);
    std::stable_sort(found.begin(), found.end(), [&](const RunSummary* a, const RunSummary* b) {
        const auto x = key(*a);
        const auto y = key(*b);
        if (!x || !y)
            return x.has_value() && !y.has_value();
        return query.ascending ? *x < *y : *x > *y;
    });
    const auto total = static_cast<std::int64_t>(found.size());
    const std::int64_t begin = std::min(query.offset, total);
    const std::int64_t end = begin + std::min(query.limit, total - begin);
    // One item at a time, because the whole list as one value would take many times its text's
    // memory.
    const auto item = [&](std::int64_t i) {
        return dumped(runItem(*found[static_cast<std::size_t>(i)]));
    };
    HttpResponse response = longResponse(begin, end, item, context.options().limits.reply_bytes);
    response.headers.emplace_back("X-Total-Count", std::to_string(total));
    return response;
}

std::vector<Parameter> listParameters()
{
    std::vector<std::string> keys;
    for (const auto& [key, value] : sortKeys())
        keys.push_back(key);
    return {
        {.name = "search",
         .description =
             "Only runs with all these words in title, notes, prompt, response or facts"},
        {.name = "model", .description = "Name or folder of the model", .alias = "model_name"},
        {.name = "tag", .description = "Only runs with this tag", .alias = "tags"},
        {.name = "experiment",
         .description = "Only runs of this experiment",
         .alias = "experiment_name"},
        {.name = "status",
         .choices = {"running", "complete", "cancelled", "failed", "interrupted"}},
        {.name = "device", .description = "cpu, mps, cuda:0"},
        {.name = "dtype", .description = "Number format, as of POST generate"},
        {.name = "profiling_depth", .choices = {"none", "module", "deep"}},
        {.name = "power_source", .description = "ioreport, rapl, modelled, none, ..."},
        {.name = "from_ms",
         .type = "integer",
         .description = "Created at this time or later; Unix time"},
        {.name = "to_ms", .type = "integer", .description = "Created before this time; Unix time"},
        {.name = "min_joules_per_token", .type = "number"},
        {.name = "max_joules_per_token", .type = "number"},
        {.name = "sort",
         .description = "Default created_at; missing values come last",
         .choices = keys},
        {.name = "order", .description = "Default desc", .choices = {"asc", "desc"}},
        {.name = "offset", .type = "integer", .description = "Number of runs to skip"},
        {.name = "limit",
         .type = "integer",
         .description = "Maximum number of runs; X-Total-Count holds the number of all"}};
}

} // namespace ep::api

// SPDX-License-Identifier: GPL-3.0-or-later
// Stored runs: list, one run, summary, pipeline, export, delete, compare.
#include "context.h"

#include "ep/core/clock.h"
#include "ep/core/run_figure.h"
#include "ep/core/run_filter.h"
#include "ep/core/run_id.h"
#include "ep/session/comparison.h"
#include "ep/session/explain.h"
#include "ep/store/run_json.h"

#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

namespace ep::api {

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 4;
constexpr std::array kTables = {"profiling_runs",
                                "power_samples",
                                "phases",
                                "pipeline_sections",
                                "tokens",
                                "layer_metrics",
                                "component_metrics",
                                "deep_operation_metrics"};

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
    std::int64_t limit = kMost;
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
    filter.from_ms = queryInteger(request, "from_ms", 0, kMost);
    filter.until_ms = queryInteger(request, "to_ms", 0, kMost);
    filter.least_joules = queryNumber(request, "min_joules_per_token");
    filter.most_joules = queryNumber(request, "max_joules_per_token");
    query.sort = queryText(request, "sort", query.sort);
    if (!sortKeys().contains(query.sort)) {
        std::string keys;
        for (const auto& [key, value] : sortKeys())
            keys += (keys.empty() ? "" : ", ") + key;
        throw BadQuery{"sort must be one of " + keys + "."};
    }
    const std::string order = queryText(request, "order", "desc");
    if (order != "asc" && order != "desc")
        throw BadQuery{"order must be asc or desc."};
    query.ascending = order == "asc";
    query.offset = queryInteger(request, "offset", 0, kMost).value_or(0);
    query.limit = queryInteger(request, "limit", 0, kMost).value_or(kMost);
    return query;
}

HttpResponse list(Context& context, const HttpRequest& request)
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
    Json items = Json::array();
    for (std::int64_t i = begin; i < end; ++i)
        items.push_back(runItem(*found[static_cast<std::size_t>(i)]));
    HttpResponse response = jsonResponse(items);
    response.headers.emplace_back("X-Total-Count", std::to_string(total));
    return response;
}

Result<Run> load(Context& context, const std::string& id)
{
    if (!isRunId(id)) // a prefix could match another run tomorrow
        return Error{ErrorCode::NotFound, "That is not the id of a run."};
    const auto store = context.store();
    if (!store)
        return store.error();
    return (*store)->load(id);
}

HttpResponse withRun(Context& context, const Arguments& arguments,
                     const std::function<HttpResponse(const Run&)>& answer)
{
    const auto run = load(context, arguments.at("id"));
    return run ? answer(*run) : failure(run.error());
}

std::string readFile(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

HttpResponse csvOf(const Run& run, const std::string& table, CsvText formulas)
{
    const QTemporaryDir folder;
    if (!folder.isValid())
        return errorResponse(500, "There is no space for temporary files.");
    const std::filesystem::path path = folder.path().toStdString();
    HttpResponse response;
    const auto attach = [&](const std::string& file) {
        response.headers.emplace_back("Content-Disposition",
                                      "attachment; filename=\"" + file + '"');
    };
    if (table == "all") {
        const std::filesystem::path file = path / "run.zip";
        if (const Status written =
                store::exportCsvZip(store::RunInMemory(run), file.string(), formulas);
            !written)
            return failure(written.error());
        response.type = "application/zip";
        response.body = readFile(file);
        attach(run.info.id + ".zip");
        return response;
    }
    if (const Status written =
            store::exportCsv(store::RunInMemory(run), (path / "run").string(), formulas);
        !written)
        return failure(written.error());
    response.type = "text/csv; charset=utf-8";
    response.body = readFile(path / "run" / (table + ".csv"));
    attach(run.info.id + '-' + table + ".csv");
    return response;
}

HttpResponse exportRun(Context& context, const HttpRequest& request, const Arguments& arguments)
{
    const std::string format = queryText(request, "format", "json");
    const std::string table = queryText(request, "table", "tokens");
    const std::string raw = queryText(request, "raw_cells", "false");
    if (format != "json" && format != "csv")
        throw BadQuery{"format must be json or csv."};
    if (raw != "true" && raw != "false")
        throw BadQuery{"raw_cells must be true or false."};
    if (table != "all" && std::find(kTables.begin(), kTables.end(), table) == kTables.end())
        throw BadQuery{"table must be all, or one of the tables of docs/run-format.md."};
    return withRun(context, arguments, [&](const Run& run) {
        if (format == "csv")
            return csvOf(run, table, raw == "true" ? CsvText::Raw : CsvText::Quoted);
        HttpResponse response;
        response.body = store::runToJson(run);
        response.headers.emplace_back("Content-Disposition",
                                      "attachment; filename=\"" + run.info.id + ".json\"");
        return response;
    });
}

HttpResponse removeRun(Context& context, const Arguments& arguments)
{
    const std::string& id = arguments.at("id");
    if (!isRunId(id))
        return errorResponse(404, "That is not the id of a run.");
    if (context.queue().runningId() == id) {
        return errorResponse(409,
                             "The run is in progress: cancel it first, with DELETE "
                             "/api/profiling/queue/{id}.");
    }
    const auto store = context.store();
    if (!store)
        return failure(store.error());
    const Status removed = (*store)->remove(id);
    context.forgetRuns(); // our own changes do not change the version
    return removed ? jsonResponse({{"deleted", id}}) : failure(removed.error());
}

HttpResponse explain(Context& context, const Arguments& arguments)
{
    const std::string& id = arguments.at("id");
    if (!isRunId(id))
        return errorResponse(404, "That is not the id of a run.");
    const auto store = context.store();
    if (!store)
        return failure(store.error());
    const auto explanation = session::explainRun(**store, id);
    if (!explanation)
        return failure(explanation.error());
    HttpResponse response;
    response.body = session::explanationToJson(*explanation, -1);
    return response;
}

HttpResponse compare(Context& context, const HttpRequest& request)
{
    std::vector<std::string> ids;
    std::string text = queryText(request, "ids", queryText(request, "run_ids"));
    for (std::size_t comma = 0; !text.empty(); text.erase(0, comma)) {
        comma = std::min(text.find(','), text.size());
        ids.push_back(text.substr(0, comma));
        comma += comma < text.size() ? 1 : 0;
    }
    if (ids.size() < 2 || ids.size() > 4)
        throw BadQuery{"ids must name two to four runs, separated by commas."};
    std::vector<std::vector<std::string>> groups;
    for (const std::string& id : ids) {
        if (!isRunId(id))
            return errorResponse(404, "There is no run with one of these ids.");
        groups.push_back({id});
    }
    const auto store = context.store();
    if (!store)
        return failure(store.error());
    if (queryText(request, "repeats") == "true") {
        const auto stored = (*store)->list();
        if (!stored)
            return failure(stored.error());
        groups = session::withRepeats(*stored, ids);
        if (groups.size() < ids.size())
            throw BadQuery{"two of the runs are repeats of one configuration."};
    }
    const auto loaded = session::loadGroups(**store, groups);
    return loaded ? jsonResponse(runComparison(*loaded)) : failure(loaded.error());
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
        {.name = "model", .description = "Name or folder of the model"},
        {.name = "tag", .description = "Only runs with this tag"},
        {.name = "experiment", .description = "Only runs of this experiment"},
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
        {.name = "sort", .description = "Missing values come last", .choices = keys},
        {.name = "order", .description = "Default desc", .choices = {"asc", "desc"}},
        {.name = "offset", .type = "integer", .description = "Number of runs to skip"},
        {.name = "limit",
         .type = "integer",
         .description = "Maximum number of runs; X-Total-Count holds the number of all"}};
}

} // namespace

void addRunRoutes(std::vector<Route>& routes, Context& context)
{
    const auto add = [&](Route route, auto handler) {
        route.handle = [handler, &context](const HttpRequest& request, const Arguments& arguments,
                                           const Reply& reply) {
            reply.send(handler(context, request, arguments));
        };
        routes.push_back(std::move(route));
    };
    add({.method = "GET",
         .path = "/api/profiling/runs",
         .summary = "List runs, with filters, sorting and paging; the newest first",
         .parameters = listParameters(),
         .answer = "RunList"},
        [](Context& c, const HttpRequest& r, const Arguments&) { return list(c, r); });
    add({.method = "GET",
         .path = "/api/profiling/run/{id}",
         .summary = "The complete run: the JSON of docs/run-format.md",
         .answer = "Run",
         .refusals = {404}},
        [](Context& c, const HttpRequest&, const Arguments& a) {
            return withRun(c, a, [](const Run& run) {
                HttpResponse response;
                response.body = store::runToJson(run, -1);
                return response;
            });
        });
    add({.method = "GET",
         .path = "/api/profiling/run/{id}/summary",
         .summary = "Figures of the run, its phases and its components",
         .answer = "RunSummary",
         .refusals = {404}},
        [](Context& c, const HttpRequest&, const Arguments& a) {
            return withRun(c, a, [](const Run& run) { return jsonResponse(runSummary(run)); });
        });
    add({.method = "GET",
         .path = "/api/profiling/run/{id}/why",
         .summary = "Where the energy or time of the run went, why, and what to do about it",
         .answer = "Explanation",
         .refusals = {404, 422}},
        [](Context& c, const HttpRequest&, const Arguments& a) { return explain(c, a); });
    add({.method = "GET",
         .path = "/api/profiling/run/{id}/pipeline",
         .summary = "Phases and their sections",
         .answer = "Pipeline",
         .refusals = {404}},
        [](Context& c, const HttpRequest&, const Arguments& a) {
            return withRun(c, a, [](const Run& run) { return jsonResponse(runPipeline(run)); });
        });
    std::vector<std::string> tables(kTables.begin(), kTables.end());
    tables.emplace_back("all");
    add({.method = "GET",
         .path = "/api/profiling/export/{id}",
         .summary = "The run as a file: JSON, one table as CSV, or all tables in a zip archive",
         .parameters = {{.name = "format",
                         .description = "Default json",
                         .choices = {"json", "csv"}},
                        {.name = "table",
                         .description = "For csv, default tokens; all: a zip archive",
                         .choices = tables},
                        {.name = "raw_cells",
                         .description = "For csv: true leaves texts as they are that a spreadsheet "
                                        "takes for formulas",
                         .choices = {"false", "true"}}},
         .answer = "Run",
         .refusals = {404}},
        [](Context& c, const HttpRequest& r, const Arguments& a) { return exportRun(c, r, a); });
    add({.method = "DELETE",
         .path = "/api/profiling/run/{id}",
         .summary = "Delete a run permanently",
         .answer = "Deleted",
         .refusals = {404, 409}},
        [](Context& c, const HttpRequest&, const Arguments& a) { return removeRun(c, a); });
    add({.method = "GET",
         .path = "/api/profiling/compare",
         .summary = "Metrics of two to four runs and their differences from the first",
         .parameters = {{.name = "ids",
                         .description = "Ids of runs, separated by commas",
                         .required = true},
                        {.name = "repeats",
                         .description = "true: with all stored repeats of each run",
                         .choices = {"true", "false"}}},
         .answer = "Comparison",
         .refusals = {404}},
        [](Context& c, const HttpRequest& r, const Arguments&) { return compare(c, r); });
}

} // namespace ep::api

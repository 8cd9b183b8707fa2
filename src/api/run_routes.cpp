// SPDX-License-Identifier: GPL-3.0-or-later
// Stored runs: one run, summary, pipeline, export, delete, compare.
#include "context.h"
#include "temporary_file.h"

#include "ep/core/clock.h"
#include "ep/core/run_figure.h"
#include "ep/core/run_filter.h"
#include "ep/core/uuid.h"
#include "ep/session/comparison.h"
#include "ep/session/explain.h"
#include "ep/session/run_settings.h"
#include "ep/store/run_json.h"
#include "ep/store/run_tables.h"

#include <QTemporaryDir>

#include <algorithm>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

// The list of stored runs, with filters, sorting and paging.
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
        return json::textOf(runItem(*found[static_cast<std::size_t>(i)]));
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
        {.name = "profiling_depth",
         .choices = session::runSetting("profiling_depth").values.list()},
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

Error notAnId()
{
    return {ErrorCode::NotFound, "That is not the id of a run."};
}

Result<Run> load(Context& context, const std::string& id)
{
    if (!isRunId(id)) // a prefix could match another run tomorrow
        return notAnId();
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

using Writing = std::function<Status(const store::RunSource& run, const std::filesystem::path&)>;

// Replies with a file that `write` makes of the stored run. The run is read piece by piece and
// sent from the disk, so that neither a long run nor a slow reader takes memory.
HttpResponse fileOf(Context& context, const std::string& id, const Writing& write)
{
    if (!isRunId(id)) // a prefix could match another run tomorrow
        return failure(notAnId());
    const auto store = context.store();
    if (!store)
        return failure(store.error());
    const auto source = (*store)->source(id);
    if (!source)
        return failure(source.error());
    const QTemporaryDir folder(
        QString::fromStdString((temporaryPlace() / "energy-profiler-XXXXXX").string()));
    if (!folder.isValid())
        return errorResponse(500, "There is no space for temporary files.");
    const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "reply";
    if (const Status written = write(**source, path); !written)
        return failure(written.error());
    auto file = TemporaryFile::adopt(path);
    if (!file)
        return failure(file.error());
    HttpResponse response;
    response.file = std::move(*file);
    return response;
}

Status writeCompactJson(const store::RunSource& run, const std::filesystem::path& file)
{
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    const Status written = store::writeJson(run, stream, -1);
    stream.close();
    if (!written || stream)
        return written;
    return Error{ErrorCode::Io, "There is no space for temporary files."};
}

Writing csvWriter(const std::string& table, CsvText formulas)
{
    if (table == "all") {
        return [=](const store::RunSource& run, const std::filesystem::path& file) {
            return store::exportCsvZip(run, file.string(), formulas);
        };
    }
    return [=](const store::RunSource& run, const std::filesystem::path& file) {
        const std::filesystem::path tables = file.parent_path() / "tables";
        Status written = store::exportCsv(run, tables.string(), formulas);
        std::error_code failed;
        if (written)
            std::filesystem::rename(tables / (table + ".csv"), file, failed);
        return failed ? Error{ErrorCode::Io, "There is no space for temporary files."} : written;
    };
}

HttpResponse exportRun(Context& context, const HttpRequest& request, const Arguments& arguments)
{
    const std::string format = queryText(request, "format", "json");
    const std::string table = queryText(request, "table", "tokens");
    const bool raw = queryText(request, "raw_cells") == "true";
    const std::string& id = arguments.at("id");
    const bool csv = format == "csv";
    HttpResponse response = fileOf(
        context, id,
        csv ? csvWriter(table, raw ? CsvText::Raw : CsvText::Quoted)
            : [](const store::RunSource& run, const std::filesystem::path& file) {
                  return store::exportJson(run, file.string());
              });
    if (response.status != 200)
        return response;
    const bool zip = csv && table == "all";
    if (csv)
        response.type = zip ? "application/zip" : "text/csv; charset=utf-8";
    const std::string name = id + (zip ? ".zip" : csv ? '-' + table + ".csv" : ".json");
    response.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + name + '"');
    return response;
}

HttpResponse removeRun(Context& context, const Arguments& arguments)
{
    const std::string& id = arguments.at("id");
    if (!isRunId(id))
        return failure(notAnId());
    if (context.queue().runningId() == id) {
        return errorResponse(409,
                             "The run is in progress: cancel it first, with DELETE "
                             "/api/profiling/queue/{id}.");
    }
    const auto store = context.store();
    if (!store)
        return failure(store.error());
    const Status removed = (*store)->remove(id);
    context.forgetRuns(); // our own changes do not increase the version
    return removed ? jsonResponse({{"deleted", id}}) : failure(removed.error());
}

HttpResponse explain(Context& context, const Arguments& arguments)
{
    const std::string& id = arguments.at("id");
    if (!isRunId(id))
        return failure(notAnId());
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

std::vector<Parameter> exportParameters()
{
    std::vector<std::string> tables;
    for (const store::TableKind kind : store::kTableKinds)
        tables.emplace_back(name(kind));
    tables.emplace_back("all");
    return {{.name = "format", .description = "Default json", .choices = {"json", "csv"}},
            {.name = "table",
             .description = "For csv, default tokens; all: a zip archive",
             .choices = tables},
            {.name = "raw_cells",
             .description = "For csv: true leaves texts as they are that a spreadsheet "
                            "takes for formulas",
             .choices = {"false", "true"}}};
}

// For compare: two to four ids.
constexpr const char* kIdsPattern = "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
                                    "(,[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}){1,3}$";

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
        [](Context& c, const HttpRequest& r, const Arguments&) { return listRuns(c, r); });
    add({.method = "GET",
         .path = "/api/profiling/run/{id}",
         .summary = "The complete run: the JSON of docs/run-format.md",
         .answer = "Run",
         .refusals = {404}},
        [](Context& c, const HttpRequest&, const Arguments& a) {
            return fileOf(c, a.at("id"), writeCompactJson);
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
    add({.method = "GET",
         .path = "/api/profiling/export/{id}",
         .summary = "The run as a file: JSON, one table as CSV, or all tables in a zip archive",
         .parameters = exportParameters(),
         .answer = "Run",
         .other_answers = {"text/csv; charset=utf-8", "application/zip"},
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
                         .description = "Two to four ids of runs, separated by commas",
                         .required = true,
                         .pattern = kIdsPattern,
                         .alias = "run_ids"},
                        {.name = "repeats",
                         .description = "true: with all stored repeats of each run",
                         .choices = {"true", "false"}}},
         .answer = "Comparison",
         .refusals = {404}},
        [](Context& c, const HttpRequest& r, const Arguments&) { return compare(c, r); });
}

} // namespace ep::api

// SPDX-License-Identifier: GPL-3.0-or-later
// Information: models, prediction, health, metrics, and the description of the API.
#include "context.h"
#include "embedded_texts.h"

#include "ep/model/describe.h"
#include "ep/model/format.h"
#include "ep/model/library.h"
#include "ep/session/environment.h"
#include "ep/session/predict.h"

#include <utility>

namespace ep::api {
namespace {

Json modelsJson(const Context& context)
{
    Json models = Json::array();
    for (const model::ModelListing& listing :
         model::discoverModels(context.options().model_folders)) {
        models.push_back(
            {{"name", listing.name},
             {"architecture", listing.architecture},
             {"supported", listing.supported},
             {"problem", listing.problem},
             {"parameters", listing.parameters > 0 ? Json(listing.parameters) : Json()},
             {"file_bytes", listing.weight_bytes}});
    }
    return models;
}

Json healthJson(Context& context)
{
    const auto opened = context.store();
    const bool fresh = !opened && opened.error().code == ErrorCode::NotFound;
    Json json{{"status", opened || fresh ? "ok" : "degraded"},
              {"version", session::applicationVersion()},
              {"running", context.queue().running()},
              {"waiting", context.queue().waitingIds().size()},
              {"live_clients", context.hub().clients()},
              {"database_problem", nullptr}};
    if (!opened && !fresh)
        json["database_problem"] = opened.error().message;
    return json;
}

HttpResponse predictRun(Context& context, const HttpRequest& request)
{
    const std::string name = queryText(request, "model", queryText(request, "model_name"));
    session::PredictionRequest asked;
    asked.input_tokens = queryInteger(request, "input_tokens").value_or(0);
    asked.output_tokens = queryInteger(request, "output_tokens").value_or(0);
    asked.batch_size = queryInteger(request, "batch_size").value_or(1);
    asked.device = queryText(request, "device", "cpu");
    for (const model::ModelListing& listing :
         model::discoverModels(context.options().model_folders)) {
        if (listing.name == name)
            asked.model = listing.path;
    }
    if (asked.model.empty())
        return errorResponse(404, "There is no model of this name.");
    const auto described = model::describeModel(asked.model);
    if (!described)
        return failure(described.error());
    asked.dtype = model::formatName(queryText(request, "dtype", described->format));
    const auto runs = context.runs();
    if (!runs)
        return failure(runs.error());
    const auto predicted = session::predict(asked, **runs);
    if (!predicted)
        return failure(predicted.error());
    HttpResponse response;
    response.body = session::predictionToJson(name, asked, *predicted, -1);
    return response;
}

std::vector<Parameter> predictionParameters()
{
    return {{.name = "model",
             .description = "Name of a model",
             .required = true,
             .alias = "model_name"},
            {.name = "input_tokens",
             .type = "integer",
             .required = true,
             .least = 1,
             .most = session::kMaxPredictedTokens},
            {.name = "output_tokens",
             .type = "integer",
             .required = true,
             .least = 1,
             .most = session::kMaxPredictedTokens},
            {.name = "batch_size", .type = "integer", .least = 1, .most = 4096},
            {.name = "device", .description = "Default cpu"},
            {.name = "dtype", .description = "Default: as stored"}};
}

class Exposition {
public:
    void family(const char* name, const char* type, const char* help)
    {
        m_name = std::string("energy_profiler_") + name;
        m_text += "# HELP " + m_name + ' ' + help + "\n# TYPE " + m_name + ' ' + type + '\n';
    }
    void value(double number, const std::string& labels = {})
    {
        // As in JSON, independent of the locale.
        m_text += m_name + (labels.empty() ? "" : '{' + labels + '}') + ' '
            + json::textOf(Json(number)) + '\n';
    }
    std::string take() { return std::move(m_text); }

private:
    std::string m_name;
    std::string m_text;
};

} // namespace

void addInfoRoutes(std::vector<Route>& routes, Context& context)
{
    const auto add = [&](Route route, auto handler) {
        route.handle = [handler, &context](const HttpRequest& request, const Arguments&,
                                           const Reply& reply) {
            reply.send(handler(context, request));
        };
        routes.push_back(std::move(route));
    };
    add({.method = "GET",
         .path = "/api/profiling/models",
         .summary = "Available models",
         .answer = "ModelList"},
        [](Context& c, const HttpRequest&) { return jsonResponse(modelsJson(c)); });
    add({.method = "GET",
         .path = "/api/profiling/predict",
         .summary =
             "Estimate the time and energy of a run from stored runs of the same device and dtype",
         .parameters = predictionParameters(),
         .answer = "Prediction",
         .refusals = {404, 422}},
        [](Context& c, const HttpRequest& r) { return predictRun(c, r); });
    add({.method = "GET",
         .path = "/api/profiling/health",
         .summary = "Status of the server",
         .answer = "Health"},
        [](Context& c, const HttpRequest&) { return jsonResponse(healthJson(c)); });
    add({.method = "GET",
         .path = "/health",
         .summary = "Whether the server is alive; needs no token",
         .answer = "Alive",
         .open = true},
        [](Context&, const HttpRequest&) {
            return jsonResponse({{"status", "ok"}});
        });
    add({.method = "GET",
         .path = "/live",
         .summary = "A page that shows runs while they go on, once the token is typed into it",
         .answer_type = "text/html; charset=utf-8",
         .open = true},
        [](Context&, const HttpRequest&) {
            HttpResponse response;
            response.type = "text/html; charset=utf-8";
            response.body = livePage();
            response.headers = {{"Content-Security-Policy",
                                 "default-src 'none'; script-src 'unsafe-inline'; style-src "
                                 "'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'"},
                                {"Referrer-Policy", "no-referrer"}};
            return response;
        });
    add({.method = "GET",
         .path = "/metrics",
         .summary = "Live rails and totals for Prometheus",
         .answer_type = "text/plain; version=0.0.4; charset=utf-8"},
        [](Context& c, const HttpRequest&) {
            HttpResponse response;
            response.type = "text/plain; version=0.0.4; charset=utf-8";
            response.body = metricsText(c);
            return response;
        });
    add({.method = "GET",
         .path = "/openapi.json",
         .summary = "This description",
         .answer = "OpenApi",
         .open = true},
        [&routes](Context&, const HttpRequest&) { return jsonResponse(openApiDocument(routes)); });
}

std::string metricsText(Context& context)
{
    const Totals& totals = context.totals();
    Exposition out;
    out.family("rail_power_watts", "gauge",
               "Power of the last sample of the run in progress; absent rails are not measured");
    if (const auto& sample = totals.last_sample) {
        for (const Rail rail : kRails) {
            if (const auto& power = sample->power_mw[rail])
                out.value(power->value / 1000.0, "rail=\"" + std::string(name(rail)) + '"');
        }
        if (sample->total_mw)
            out.value(sample->total_mw->value / 1000.0, "rail=\"total\"");
    }
    out.family("modelled", "gauge", "1 while the power comes from a model of the machine");
    out.value(totals.last_sample && totals.last_sample->modelled ? 1 : 0);
    out.family("running", "gauge", "1 while a run is in progress");
    out.value(context.queue().running() ? 1 : 0);
    out.family("queue_length", "gauge", "Number of waiting runs");
    out.value(static_cast<double>(context.queue().waitingIds().size()));
    out.family("live_clients", "gauge", "Number of open WebSockets");
    out.value(static_cast<double>(context.hub().clients()));
    out.family("runs_total", "counter", "Runs since the server started, by final status");
    for (const auto& [status, count] : totals.runs)
        out.value(static_cast<double>(count), "status=\"" + status + '"');
    out.family("output_tokens_total", "counter", "Tokens generated by these runs");
    out.value(static_cast<double>(totals.output_tokens));
    out.family("energy_joules_total", "counter", "Energy of the runs that have one");
    out.value(totals.energy_mj / 1000.0);
    out.family("inference_seconds_total", "counter", "Duration of these runs");
    out.value(totals.inference_seconds);
    out.family("live_messages_total", "counter", "Messages sent over WebSockets");
    out.value(static_cast<double>(context.hub().sent()));
    out.family("live_messages_left_out_total", "counter", "Messages missed by slow clients");
    out.value(static_cast<double>(context.hub().leftOut()));
    out.family("http_responses_total", "counter", "Replies by status code");
    for (const auto& [status, count] : totals.answers)
        out.value(static_cast<double>(count), "code=\"" + std::to_string(status) + '"');
    return out.take();
}

} // namespace ep::api

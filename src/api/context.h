// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "live_hub.h"
#include "routes.h"
#include "run_queue.h"

#include "ep/store/store.h"

#include <QTimer>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::api {

// Counters since the server started.
struct Totals {
    std::map<std::string, std::int64_t> runs{}; // by status
    std::map<int, std::int64_t> answers{}; // by status code
    std::int64_t output_tokens = 0;
    double energy_mj = 0.0; // over the runs whose energy is known
    double inference_seconds = 0.0;
    std::optional<PowerSample> last_sample{}; // last sample of the run in progress
};

// The shared state of the handlers. One thread.
class Context {
public:
    Context(const Options& options, RunQueue& queue, LiveHub& hub)
        : m_options(options)
        , m_queue(queue)
        , m_hub(hub)
    {
        // Checks regularly whether the database was replaced, because the old log would be in the
        // way of the new one.
        constexpr int kLookMs = 1000;
        QObject::connect(&m_look, &QTimer::timeout, &m_look, [this] {
            if (m_store && m_store->hasMoved())
                static_cast<void>(m_store->dataVersion()); // opens the file that is there now
        });
        m_look.start(kLookMs);
    }

    const Options& options() const { return m_options; }
    RunQueue& queue() { return m_queue; }
    LiveHub& hub() { return m_hub; }
    Totals& totals() { return m_totals; }

    // The database, opened at first use; NotFound if it does not exist yet.
    Result<store::Store*> store();
    // Newest first; cached until the database changes.
    Result<const std::vector<RunSummary>*> runs();
    void forgetRuns() { m_listed.reset(); }

private:
    const Options& m_options;
    RunQueue& m_queue;
    LiveHub& m_hub;
    Totals m_totals;
    std::unique_ptr<store::Store> m_store;
    std::optional<std::int64_t> m_listed; // database version of m_runs
    std::vector<RunSummary> m_runs;
    QTimer m_look;
};

void addRunRoutes(std::vector<Route>& routes, Context& context);
void addGenerateRoutes(std::vector<Route>& routes, Context& context);
void addInfoRoutes(std::vector<Route>& routes, Context& context);

std::string metricsText(Context& context); // Prometheus

HttpResponse jsonResponse(const Json& json, int status = 200);
HttpResponse failure(const Error& error); // 404 for NotFound, and so on

// Why a request is answered with 400.
struct BadQuery {
    std::string message;
};

// A query parameter that checkQuery() has accepted. Absent if not given.
std::optional<std::int64_t> queryInteger(const HttpRequest& request, const std::string& name);
std::optional<double> queryNumber(const HttpRequest& request, const std::string& name);
std::string queryText(const HttpRequest& request, const std::string& name,
                      const std::string& standard = {});

} // namespace ep::api

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/api/server.h"

#include "access.h"
#include "context.h"
#include "door.h"
#include "handshake.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace ep::api {

using session::Profiler;

struct Server::Private {
    Private(Options theOptions, session::Backend backend, Server* server)
        : options(std::move(theOptions))
        , queue(std::move(backend), options.limits.queue, options.limits.waiting_bytes)
        , hub(options.limits)
        , context(options, queue, hub)
        , traffic(options.limits)
        , door(options.limits.connections,
               {.inside = [this] { return static_cast<int>(connections.size()); },
                .makeRoom = [this] { return makeRoom(); },
                .enter = [this,
                          server](std::unique_ptr<HttpSocket> socket,
                                  bool refused) { accept(server, std::move(socket), refused); }})
    {
    }

    Options options;
    std::string token;
    RunQueue queue;
    LiveHub hub;
    Context context;
    std::vector<Route> routes;
    HttpHandlers handlers;
    Traffic traffic;
    LiveRun live;
    std::vector<HttpConnection*> connections; // oldest first
    Door door; // last: its connections are destroyed first

    HttpRefusal check(const HttpRequest& request) const;
    void handle(const HttpRequest& request, const Reply& reply);
    void countRun(const Run& run);
    void tellOfRun(const session::RunFinished& finished);
    void watchRuns(Server* server);
    Door::Room makeRoom();
    void accept(Server* server, std::unique_ptr<HttpSocket> socket, bool refused);
};

HttpRefusal Server::Private::check(const HttpRequest& request) const
{
    if (HttpRefusal refusal = checkOrigin(request, door.port()))
        return refusal;
    const Match match = findRoute(routes, request);
    const bool open = match.route != nullptr && match.route->open;
    if (!open && !hasToken(request, token)) {
        return {401,
                "Send the header \"Authorization: Bearer TOKEN\" with the token of the server's "
                "token file."};
    }
    if (request.asksUpgrade())
        return checkHandshake(request, hub.full());
    if (match.route == nullptr && match.allowed.empty()) {
        if (request.path == std::vector<std::string>{"ws", "profiling"}) {
            if (request.method == "GET")
                return {426, "This is a WebSocket: request an upgrade."};
            return {405, "Only GET works here.", "GET"};
        }
        return {404, "Not found; /openapi.json lists the available addresses."};
    }
    if (match.route == nullptr) {
        std::string methods;
        for (const std::string& method : match.allowed)
            methods += (methods.empty() ? "" : ", ") + method;
        return {405, "Only " + methods + " works here.", methods};
    }
    return {};
}

void Server::Private::handle(const HttpRequest& request, const Reply& reply)
{
    const Match match = findRoute(routes, request);
    try {
        if (const std::string problem = checkQuery(*match.route, request.query); !problem.empty())
            return reply.send(errorResponse(400, problem));
        match.route->handle(request, match.arguments, reply);
    } catch (const BadQuery& bad) {
        reply.send(errorResponse(400, bad.message));
    } catch (const std::exception& unexpected) {
        reply.send(errorResponse(500, std::string("Unexpected error: ") + unexpected.what()));
    }
}

void Server::Private::countRun(const Run& run)
{
    Totals& totals = context.totals();
    ++totals.runs[std::string(name(run.info.status))];
    totals.output_tokens += run.info.output_tokens;
    if (run.metrics.energy.total_mj)
        totals.energy_mj += run.metrics.energy.total_mj->value;
    totals.inference_seconds += toSeconds(run.metrics.duration_ns);
    totals.last_sample.reset();
}

void Server::Private::tellOfRun(const session::RunFinished& finished)
{
    const Run& run = *finished.run;
    // Operations get their energies only at the end of a run. One message per token.
    if (!run.trace.operations.empty()) {
        hub.sendSeries({.count = static_cast<int>(run.trace.tokens.size()),
                        .make = [live = live, run = finished.run](int index) {
                            const auto step = static_cast<std::size_t>(index);
                            return json::textOf(
                                operationMessage(live, run->trace, run->trace.tokens[step].index));
                        }});
        queue.setHeld(hub.busy()); // sending would disturb the measurement of the next run
    }
    hub.send(json::textOf(completeMessage(finished)), Weight::Summary);
}

// Connections that never presented the token are closed first, so that clients without it cannot
// lock others out.
Door::Room Server::Private::makeRoom()
{
    HttpConnection* idlest = nullptr;
    for (HttpConnection* one : connections) {
        const auto rank = [](const HttpConnection* of) {
            return std::pair(*of->idleness(), of->silentSince());
        };
        if (one->idleness() && (idlest == nullptr || rank(one) < rank(idlest)))
            idlest = one;
    }
    if (idlest == nullptr)
        return Door::Room::None;
    if (std::chrono::steady_clock::now() - idlest->silentSince()
        < std::chrono::milliseconds(kSilentMs))
        return Door::Room::Soon;
    idlest->close();
    return Door::Room::Made;
}

void Server::Private::accept(Server* server, std::unique_ptr<HttpSocket> socket, bool refused)
{
    auto* connection =
        new HttpConnection(std::move(socket), handlers, options.limits, traffic, &door);
    connections.push_back(connection);
    QObject::connect(connection, &HttpConnection::closed, server, [this, connection] {
        std::erase(connections, connection);
        door.left();
    });
    QObject::connect(connection, &HttpConnection::answered, server,
                     [this](int status) { ++context.totals().answers[status]; });
    if (refused)
        connection->refuse({503, "There are too many connections."});
}

void Server::Private::watchRuns(Server* server)
{
    Profiler* profiler = &queue.profiler();
    QObject::connect(profiler, &Profiler::runStarted, server, [this](const auto& started) {
        live = {.id = started.info.id, .zero_ns = started.time.begin_ns};
    });
    // Without memory for a message, the message is left out and the run continues.
    const auto tell = [this](const auto& say) {
        try {
            if (hub.clients() > 0)
                say();
        } catch (const std::exception&) {
        }
    };
    const auto section = [this, tell](bool end) {
        return [this, end, tell](const session::SectionEvent& event) {
            tell(
                [&] { hub.send(json::textOf(sectionMessage(live, event, end)), Weight::Summary); });
        };
    };
    QObject::connect(profiler, &Profiler::sectionStarted, server, section(false));
    QObject::connect(profiler, &Profiler::sectionEnded, server, section(true));
    QObject::connect(
        profiler, &Profiler::powerSample, server, [this, tell](const PowerSample& sample) {
            context.totals().last_sample = sample;
            tell([&] { hub.send(json::textOf(powerMessage(live, sample)), Weight::Detail); });
        });
    QObject::connect(profiler, &Profiler::tokenComplete, server, [this, tell](const auto& step) {
        tell([&] {
            hub.send(json::textOf(tokenMessage(live, step)), Weight::Summary);
            if (step.layers.empty())
                return;
            hub.send(json::textOf(layerMessage(live, step)), Weight::Detail);
            hub.send(json::textOf(componentMessage(live, step)), Weight::Detail);
        });
    });
    QObject::connect(&queue, &RunQueue::finishing, server, [=, this](const auto& finished) {
        countRun(*finished.run);
        tell([&] { tellOfRun(finished); });
        if (finished.saved)
            Q_EMIT server->runStored(QString::fromStdString(finished.run->info.id));
    });
}

std::filesystem::path defaultTokenFile()
{
    return store::defaultDatabasePath().parent_path() / "api-token";
}

Server::Server(Options options, session::Backend backend, QObject* parent)
    : QObject(parent)
    , d(std::make_unique<Private>(std::move(options), std::move(backend), this))
{
    addGenerateRoutes(d->routes, d->context);
    addRunRoutes(d->routes, d->context);
    addInfoRoutes(d->routes, d->context);
    d->handlers = {
        .check = [this](const HttpRequest& request) { return d->check(request); },
        .trusts = [this](const HttpRequest& request) { return hasToken(request, d->token); },
        .handle = [this](const HttpRequest& request,
                         const Reply& reply) { d->handle(request, reply); },
        .upgrade =
            [this](std::unique_ptr<HttpSocket> socket, const HttpRequest& handshake) {
                d->hub.takeOver(std::move(socket), handshake);
            }};
    d->watchRuns(this);
    connect(&d->queue, &RunQueue::runningChanged, this, &Server::runningChanged);
    connect(&d->queue, &RunQueue::closed, this, &Server::drained);
    connect(&d->hub, &LiveHub::rested, this, [this] { d->queue.setHeld(false); });
}

Server::~Server()
{
    for (HttpConnection* connection : std::exchange(d->connections, {})) {
        connection->disconnect(this);
        delete connection;
    }
}

Status Server::listen()
{
    auto token = readOrMakeToken(d->options.token_file);
    if (!token)
        return token.error();
    d->token = std::move(*token);
    const std::string why = d->door.listen(d->options.port);
    if (why.empty())
        return {};
    return Error{
        ErrorCode::Io,
        {"Port %1 of 127.0.0.1 cannot be served (%2): choose another one.", d->options.port, why}};
}

std::uint16_t Server::port() const
{
    return d->door.port();
}

bool Server::running() const
{
    return d->queue.running();
}

void Server::setStoreTexts(bool store)
{
    d->options.store_texts = store;
}

void Server::setBusyElsewhere(bool busy)
{
    d->queue.setPaused(busy);
}

void Server::drain()
{
    d->door.close();
    d->queue.close();
}

} // namespace ep::api

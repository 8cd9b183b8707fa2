// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/api/server.h"

#include "access.h"
#include "context.h"

#include <QCryptographicHash>
#include <QTcpServer>
#include <QTcpSocket>

#include <exception>
#include <utility>

namespace ep::api {

using session::Profiler;

namespace {

constexpr const char* kLivePath = "/ws/profiling";

// What a handshake must hold (RFC 6455), so that a wrong one gets an answer that says so.
HttpRefusal checkHandshake(const HttpRequest& request, bool full)
{
    if (request.path != std::vector<std::string>{"ws", "profiling"})
        return {404, std::string("There is a WebSocket at ") + kLivePath + " only."};
    const std::string upgrade = request.header("upgrade").value_or(std::string());
    if (request.method != "GET" || request.minor_version != 1
        || QString::fromStdString(upgrade).compare(QLatin1String("websocket"), Qt::CaseInsensitive)
            != 0)
        return {400, "This is no handshake of a WebSocket."};
    if (request.header("sec-websocket-version") != "13")
        return {426, "Version 13 of the WebSocket protocol is spoken here."};
    const QByteArray key = QByteArray::fromBase64(
        QByteArray::fromStdString(request.header("sec-websocket-key").value_or(std::string())));
    constexpr int kKeyBytes = 16;
    if (key.size() != kKeyBytes)
        return {400, "The Sec-WebSocket-Key is wrong."};
    if (full)
        return {503, "There are too many WebSockets."};
    return {};
}

} // namespace

struct Server::Private {
    Private(Options theOptions, session::Backend backend)
        : options(std::move(theOptions))
        , queue(std::move(backend), options.limits.queue)
        , hub(options.limits)
        , context(options, queue, hub)
    {
    }

    Options options;
    std::string token;
    RunQueue queue;
    LiveHub hub;
    Context context;
    std::vector<Route> routes;
    HttpHandlers handlers;
    LiveRun live;
    int connections = 0;
    QTcpServer listener; // last: its sockets go first

    HttpRefusal check(const HttpRequest& request) const;
    void handle(const HttpRequest& request, const Reply& reply);
    void tellOfRun(const session::RunFinished& finished);
    void watchRuns(Server* server);
};

HttpRefusal Server::Private::check(const HttpRequest& request) const
{
    if (HttpRefusal refusal = checkAccess(request, token, listener.serverPort()))
        return refusal;
    if (request.asksUpgrade())
        return checkHandshake(request, hub.full());
    const Match match = findRoute(routes, request);
    if (match.route == nullptr && match.allowed.empty()) {
        if (request.path == std::vector<std::string>{"ws", "profiling"})
            return {426, "This is a WebSocket: ask for an upgrade."};
        return {404, "There is nothing here; /openapi.json lists what there is."};
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
        match.route->handle(request, match.arguments, reply);
    } catch (const BadQuery& bad) {
        reply.send(errorResponse(400, bad.message));
    } catch (const std::exception& unexpected) {
        reply.send(errorResponse(500, std::string("Unexpected error: ") + unexpected.what()));
    }
}

void Server::Private::tellOfRun(const session::RunFinished& finished)
{
    const Run& run = *finished.run;
    Totals& totals = context.totals();
    ++totals.runs[std::string(name(run.info.status))];
    totals.output_tokens += run.info.output_tokens;
    if (run.metrics.energy.total_mj)
        totals.energy_mj += run.metrics.energy.total_mj->value;
    totals.inference_seconds += toSeconds(run.metrics.duration_ns);
    totals.last_sample.reset();
    if (hub.clients() == 0)
        return;
    // Operations are known with their energies only now, one message a token.
    if (!run.trace.operations.empty()) {
        for (const TokenSpan& span : run.trace.tokens)
            hub.send(dumped(operationMessage(live, run.trace, span.index)), Weight::Detail);
    }
    hub.send(dumped(completeMessage(finished)), Weight::Summary);
}

void Server::Private::watchRuns(Server* server)
{
    Profiler* profiler = &queue.profiler();
    QObject::connect(profiler, &Profiler::runStarted, server, [this](const auto& started) {
        live = {.id = started.info.id, .zero_ns = started.time.begin_ns};
    });
    const auto section = [this](bool end) {
        return [this, end](const session::SectionEvent& event) {
            if (hub.clients() > 0)
                hub.send(dumped(sectionMessage(live, event, end)), Weight::Summary);
        };
    };
    QObject::connect(profiler, &Profiler::sectionStarted, server, section(false));
    QObject::connect(profiler, &Profiler::sectionEnded, server, section(true));
    QObject::connect(profiler, &Profiler::powerSample, server, [this](const PowerSample& sample) {
        context.totals().last_sample = sample;
        if (hub.clients() > 0)
            hub.send(dumped(powerMessage(live, sample)), Weight::Detail);
    });
    QObject::connect(profiler, &Profiler::tokenComplete, server, [this](const auto& step) {
        if (hub.clients() == 0)
            return;
        hub.send(dumped(tokenMessage(live, step)), Weight::Summary);
        if (step.layers.empty())
            return;
        hub.send(dumped(layerMessage(live, step)), Weight::Detail);
        hub.send(dumped(componentMessage(live, step)), Weight::Detail);
    });
    QObject::connect(&queue, &RunQueue::finishing, server, [this, server](const auto& finished) {
        tellOfRun(finished);
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
    , d(std::make_unique<Private>(std::move(options), std::move(backend)))
{
    addGenerateRoutes(d->routes, d->context);
    addRunRoutes(d->routes, d->context);
    addInfoRoutes(d->routes, d->context);
    d->handlers = {.check = [this](const HttpRequest& request) { return d->check(request); },
                   .handle = [this](const HttpRequest& request,
                                    const Reply& reply) { d->handle(request, reply); },
                   .upgrade = [this](QTcpSocket* socket) { d->hub.takeOver(socket); }};
    d->watchRuns(this);
    connect(&d->queue, &RunQueue::runningChanged, this, &Server::runningChanged);
    connect(&d->queue, &RunQueue::closed, this, &Server::drained);
    connect(&d->listener, &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket* socket = d->listener.nextPendingConnection()) {
            ++d->connections;
            auto* connection =
                new HttpConnection(socket, d->handlers, d->options.limits, &d->listener);
            connect(connection, &QObject::destroyed, this, [this] { --d->connections; });
            connect(connection, &HttpConnection::answered, this,
                    [this](int status) { ++d->context.totals().answers[status]; });
            if (d->connections > d->options.limits.connections)
                connection->refuse({503, "There are too many connections."});
        }
    });
}

Server::~Server()
{
    for (QObject* connection : d->listener.findChildren<HttpConnection*>()) {
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
    if (d->listener.listen(QHostAddress(QHostAddress::LocalHost), d->options.port))
        return {};
    return Error{ErrorCode::Io,
                 "Port " + std::to_string(d->options.port) + " of 127.0.0.1 cannot be served ("
                     + d->listener.errorString().toStdString() + "): choose another one."};
}

std::uint16_t Server::port() const
{
    return d->listener.serverPort();
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
    d->listener.close();
    d->queue.close();
}

} // namespace ep::api

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/api/proxy.h"

#include "door.h"
#include "proxied_request.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ep::api {

struct Proxy::Private {
    Private(ProxyOptions theOptions, session::Backend backend, Proxy* proxy)
        : options(std::move(theOptions))
        , recorder(options.recorder, std::move(backend))
        , door(
              options.connections,
              {.inside = [this] { return static_cast<int>(connections.size()); },
               .makeRoom = [this] { return makeRoom(); },
               .enter = [this, proxy](std::unique_ptr<HttpSocket> socket,
                                      bool refused) { accept(proxy, std::move(socket), refused); }})
    {
    }

    ProxyOptions options;
    session::RequestRecorder recorder;
    std::int64_t kept = 0; // bytes of requests and answers in progress
    SessionTree sessions;
    std::vector<ProxiedConnection*> connections;
    Door door; // last: its connections are destroyed first

    Door::Room makeRoom();
    void accept(Proxy* proxy, std::unique_ptr<HttpSocket> socket, bool refused);
};

// Closes the idlest connection, unless it became idle just now.
Door::Room Proxy::Private::makeRoom()
{
    ProxiedConnection* idlest = nullptr;
    std::pair<int, Nanoseconds> least;
    for (ProxiedConnection* one : connections) {
        const auto idleness = one->idleness();
        const std::pair rank{idleness.value_or(0), one->silentSince()};
        if (idleness && (idlest == nullptr || rank < least)) {
            idlest = one;
            least = rank;
        }
    }
    if (idlest == nullptr)
        return Door::Room::None;
    const Nanoseconds patience = (idlest->busy() ? options.stalled_ms : kSilentMs) * kNsPerMs;
    if (monotonicNow() - idlest->silentSince() < patience)
        return Door::Room::Soon;
    idlest->stop();
    return Door::Room::Made;
}

void Proxy::Private::accept(Proxy* proxy, std::unique_ptr<HttpSocket> socket, bool refused)
{
    auto* connection = new ProxiedConnection(std::move(socket), options, door.port(), recorder,
                                             kept, sessions, &door);
    connections.push_back(connection);
    QObject::connect(connection, &ProxiedConnection::closed, proxy, [this, connection] {
        std::erase(connections, connection);
        door.left();
    });
    QObject::connect(connection, &ProxiedConnection::passedUnmeasured, proxy,
                     &Proxy::passedUnmeasured);
    if (refused)
        connection->refuse(503, "There are too many connections.");
}

Proxy::Proxy(ProxyOptions options, session::Backend backend, QObject* parent)
    : QObject(parent)
    , d(std::make_unique<Private>(std::move(options), std::move(backend), this))
{
    connect(&d->recorder, &session::RequestRecorder::runMade, this, &Proxy::runMade);
    connect(&d->recorder, &session::RequestRecorder::drained, this, &Proxy::drained);
}

Proxy::~Proxy()
{
    for (ProxiedConnection* connection : std::exchange(d->connections, {}))
        delete connection;
}

Status Proxy::listen()
{
    if (d->options.port == d->options.server.endpoint.port && d->options.port != 0)
        return Error{
            ErrorCode::InvalidInput,
            {"The port %1 is that of the server itself; choose another one.", d->options.port}};
    if (const std::string why = d->door.listen(d->options.port); !why.empty())
        return Error{ErrorCode::Io, {"Port %1 cannot be used: %2.", d->options.port, why}};
    return d->recorder.start();
}

std::uint16_t Proxy::port() const
{
    return d->door.port();
}

PowerInfo Proxy::power() const
{
    return d->recorder.power();
}

int Proxy::requests() const
{
    return static_cast<int>(
        std::ranges::count_if(d->connections, [](const auto* one) { return one->busy(); }));
}

void Proxy::drain()
{
    d->door.close();
    for (ProxiedConnection* connection : std::exchange(d->connections, {})) {
        connection->disconnect(this);
        connection->stop();
    }
    d->recorder.drain();
}

} // namespace ep::api

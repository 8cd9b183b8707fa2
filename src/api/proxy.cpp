// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/api/proxy.h"

#include "proxied_request.h"

#include <QTcpServer>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace ep::api {

namespace {

class ProxyListener : public QTcpServer {
public:
    std::function<void(std::unique_ptr<HttpSocket>)> connected;

protected:
    void incomingConnection(qintptr descriptor) override
    {
        connected(std::make_unique<HttpSocket>(descriptor));
    }
};

} // namespace

struct Proxy::Private {
    Private(ProxyOptions theOptions, session::Backend backend)
        : options(std::move(theOptions))
        , recorder(options.recorder, std::move(backend))
    {
    }

    ProxyOptions options;
    session::RequestRecorder recorder;
    std::int64_t kept = 0; // bytes of requests and answers in progress
    std::vector<ProxiedConnection*> connections;
    ProxyListener listener; // last: its connections are destroyed first

    void accept(Proxy* proxy, std::unique_ptr<HttpSocket> socket);
};

void Proxy::Private::accept(Proxy* proxy, std::unique_ptr<HttpSocket> socket)
{
    auto* connection = new ProxiedConnection(std::move(socket), options, listener.serverPort(),
                                             recorder, kept, &listener);
    const bool full = static_cast<int>(connections.size()) >= options.connections;
    connections.push_back(connection);
    QObject::connect(connection, &ProxiedConnection::closed, proxy,
                     [this, connection] { std::erase(connections, connection); });
    QObject::connect(connection, &ProxiedConnection::passedUnmeasured, proxy,
                     &Proxy::passedUnmeasured);
    if (full)
        connection->refuse(503, "There are too many connections.");
}

Proxy::Proxy(ProxyOptions options, session::Backend backend, QObject* parent)
    : QObject(parent)
    , d(std::make_unique<Private>(std::move(options), std::move(backend)))
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
    d->listener.connected = [this](std::unique_ptr<HttpSocket> socket) {
        d->accept(this, std::move(socket));
    };
    if (!d->listener.listen(QHostAddress::LocalHost, d->options.port))
        return Error{ErrorCode::Io,
                     {"Port %1 cannot be used: %2.", d->options.port,
                      d->listener.errorString().toStdString()}};
    return d->recorder.start();
}

std::uint16_t Proxy::port() const
{
    return d->listener.serverPort();
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
    d->listener.close();
    for (ProxiedConnection* connection : std::exchange(d->connections, {})) {
        connection->disconnect(this);
        connection->stop();
    }
    d->recorder.drain();
}

} // namespace ep::api

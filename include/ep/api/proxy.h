// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/server_search.h"
#include "ep/session/request_recorder.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <string>

namespace ep::api {

struct ProxyOptions {
    attach::FoundServer server; // where everything goes
    std::uint16_t port = 0; // 0: any free port
    int connections = 64; // at the same time
    int head_ms = 30'000; // for the head of a request to arrive
    int idle_ms = 300'000; // between two requests, and without progress of a body
    // The energy of a request in its own answer, which waits for it at its end.
    bool energy_in_answers = false;
    session::RequestRecorderOptions recorder;
};

// Listens on 127.0.0.1 and passes every request on to a server on this machine, and its answer
// back: heads with the same status and headers, bodies byte for byte, in portions as they come.
// Requests that generate text become runs; all others only pass. Nothing is kept of headers, which
// may hold credentials. Lives in a thread with an event loop.
class Proxy : public QObject {
    Q_OBJECT
public:
    Proxy(ProxyOptions options, session::Backend backend, QObject* parent = nullptr);
    ~Proxy() override;

    Status listen(); // and starts the power source
    std::uint16_t port() const;
    PowerInfo power() const;
    int requests() const; // in progress
    void drain(); // closes the connections; drained() follows when all runs are stored

Q_SIGNALS:
    void runMade(const ep::session::RunFinished& finished);
    void passedUnmeasured(const QString& path); // a POST to an address that no dialect has
    void drained();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ep::api

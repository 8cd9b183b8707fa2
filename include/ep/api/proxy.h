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
    attach::FoundServer server; // receives all requests
    std::uint16_t port = 0; // 0: any free port
    int connections = 64; // number at the same time
    int head_ms = 30'000; // for the head of a request to arrive
    int idle_ms = 300'000; // between two requests, or without progress of a body
    int stalled_ms = 5'000; // idle limit while others wait for a connection
    // Adds the energy of a request to its answer, whose end is held back until the energy is known.
    bool energy_in_answers = false;
    session::RequestRecorderOptions recorder;
};

// Listens on 127.0.0.1 and passes every request on to a server on this machine, and the answer
// back: heads with the same status and headers, bodies byte for byte, in chunks as they arrive.
// Requests that generate text become runs; all others are only passed on. No headers are kept,
// since they may contain credentials. Lives in a thread with an event loop.
class Proxy : public QObject {
    Q_OBJECT
public:
    Proxy(ProxyOptions options, session::Backend backend, QObject* parent = nullptr);
    ~Proxy() override;

    Status listen(); // also starts the power source
    std::uint16_t port() const;
    PowerInfo power() const;
    int requests() const; // number of requests in progress
    void drain(); // closes the connections; drained() follows once all runs are stored

Q_SIGNALS:
    void runMade(const ep::session::RunFinished& finished);
    void passedUnmeasured(const QString& path); // a POST to an address that belongs to no dialect
    void drained();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ep::api

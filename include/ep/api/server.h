// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/session/backend.h"

#include <QObject>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

// The local API: runs from other programs, over HTTP and a WebSocket (docs/api.md).
namespace ep::api {

struct Limits {
    std::size_t head_bytes = 16 * 1024;
    std::size_t body_bytes = 1024 * 1024;
    int connections = 128;
    int queue = 16; // runs that wait
    int live_clients = 32; // WebSockets
    std::chrono::milliseconds request_time{10'000}; // from the first byte of a request to its last
    std::chrono::milliseconds idle_time{60'000}; // of a connection that waits for the next one
    std::chrono::milliseconds heartbeat{15'000}; // between two pings of a WebSocket
    // Of what waits to be sent to one WebSocket: from `slow` on it gets no power samples, layers,
    // components and operations, until less than `recovered` is left; beyond `dead` it is closed.
    std::int64_t slow_bytes = 1024 * 1024;
    std::int64_t recovered_bytes = 64 * 1024;
    std::int64_t dead_bytes = 16 * 1024 * 1024;
};

struct Options {
    std::uint16_t port = 8000; // 0: any that is free
    std::filesystem::path database{};
    std::filesystem::path token_file{}; // made at the first start, readable by its owner only
    std::vector<std::filesystem::path> model_folders{}; // models are named, never given as paths
    bool store_texts = true; // else only hashes of prompts and answers are saved
    Limits limits{};
};

// Beside the default database.
std::filesystem::path defaultTokenFile();

// Serves on 127.0.0.1 only. Lives in a thread with an event loop; reading the database happens
// there too, inference on a thread of its own.
class Server : public QObject {
    Q_OBJECT
public:
    Server(Options options, session::Backend backend, QObject* parent = nullptr);
    ~Server() override; // cancels what runs and closes every connection

    Status listen();
    std::uint16_t port() const; // 0: not listening
    bool running() const; // a run goes on
    // While another part of the program profiles, requests wait in the queue.
    void setBusyElsewhere(bool busy);
    void setStoreTexts(bool store); // of runs that are asked for from now on
    // Lets the run that goes on be stored as cancelled, refuses new ones; drained() follows.
    void drain();

Q_SIGNALS:
    void runningChanged(bool running);
    void runStored(const QString& runId);
    void drained();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ep::api

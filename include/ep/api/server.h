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

// The local API: runs for other programs, over HTTP and a WebSocket (docs/api.md).
namespace ep::api {

struct Limits {
    std::size_t head_bytes = 16 * 1024;
    std::size_t body_bytes = 1024 * 1024;
    std::size_t all_body_bytes = 16 * 1024 * 1024; // all bodies that are being received
    std::size_t waiting_bytes = 4 * 1024 * 1024; // bodies of the queued runs
    std::size_t reply_bytes = 64 * 1024; // longer replies wait on the disk for their readers
    std::int64_t all_reply_bytes = 4'000'000'000; // disk space for all of these replies
    int connections = 128;
    int queue = 16; // number of waiting runs
    int live_clients = 32; // number of WebSockets
    std::chrono::milliseconds request_time{10'000}; // from the first byte of a request to its last
    std::chrono::milliseconds idle_time{60'000}; // for a connection without a request
    std::chrono::milliseconds heartbeat{15'000}; // between two pings of a WebSocket
    // Limits on the bytes queued for one WebSocket: above `slow`, it gets no power samples,
    // layers, components and operations until less than `recovered` is left; above `dead`, it is
    // closed; above `all_live` for all of them together, the longest queue is closed.
    std::int64_t slow_bytes = 1024 * 1024;
    std::int64_t recovered_bytes = 64 * 1024;
    std::int64_t dead_bytes = 8 * 1024 * 1024;
    std::int64_t all_live_bytes = 16 * 1024 * 1024;
};

struct Options {
    std::uint16_t port = 8000; // 0: any free port
    std::filesystem::path database{};
    std::filesystem::path token_file{}; // created at the first start, readable only by its owner
    std::vector<std::filesystem::path>
        model_folders{}; // clients name models rather than give paths
    bool store_texts = true; // false: only hashes of prompts and answers are saved
    Limits limits{};
};

// In the folder of the default database.
std::filesystem::path defaultTokenFile();

// Listens on 127.0.0.1 only. Lives in a thread with an event loop, which also reads the database;
// inference runs on a separate thread.
class Server : public QObject {
    Q_OBJECT
public:
    Server(Options options, session::Backend backend, QObject* parent = nullptr);
    ~Server() override; // cancels the current run and closes every connection

    Status listen();
    std::uint16_t port() const; // 0: not listening
    bool running() const; // a run is in progress
    // While another part of the program is profiling, requests wait in the queue.
    void setBusyElsewhere(bool busy);
    void setStoreTexts(bool store); // for runs requested from now on
    // Cancels and stores the current run, refuses new ones; drained() follows.
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

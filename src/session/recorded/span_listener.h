// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/spans/assembler.h"
#include "ep/spans/reader.h"

#include <atomic>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace ep::session {

// Receives the spans of a command while it runs: a local socket in a folder that only this user
// may enter, and a thread that reads from it as fast as the senders write. Senders drop what they
// cannot send, so they never wait for us.
class SpanListener {
public:
    SpanListener() = default;
    ~SpanListener();
    SpanListener(const SpanListener&) = delete;
    SpanListener& operator=(const SpanListener&) = delete;

    Status listen();
    // Uses a file that the command writes, in place of a socket; it is read when the command has
    // ended, unless cancelled.
    Status useFile(std::filesystem::path file, CancelToken cancel = {});
    // For the environment of the command: "unix:/tmp/ep-…/spans" or "file:/path".
    std::string address() const;
    std::filesystem::path folder() const { return m_folder; } // removed at the end
    Status addFile(const std::string& name, const std::string& text); // into folder()
    // The run begins: starts to read; earlier records are not part of it.
    Status begin(Nanoseconds at);
    // Forward passes that were completed since the last call, for display.
    std::vector<spans::Step> takeNew();
    bool heard() const { return m_heard; } // whether anything arrived
    Message trouble() const; // after end(): why spans are missing; empty: none are
    // The command has ended: reads the rest and closes.
    void end();
    // Call it after end().
    spans::Assembler& assembler() { return *m_assembler; }

private:
    struct Connection {
        int socket = -1;
        spans::Sender sender{};
        bool stated_clock = false;
        std::unique_ptr<spans::Reader> reader{};
    };

    Status makeFolder();
    void work();
    void serve();
    void accept();
    bool read(Connection& connection); // false: the connection has ended
    void take(Connection& connection, std::string_view bytes);
    void heard(Connection& connection, const spans::Record& record);
    Connection& addConnection(int socket);
    void close(Connection& connection);
    void finish(const Connection& connection);
    void readFile();

    std::filesystem::path m_folder;
    int m_folderLock = -1; // a descriptor: the folder is in use
    std::filesystem::path m_file;
    CancelToken m_cancel;
    int m_socket = -1;
    int m_wake[2] = {-1, -1};
    std::mutex m_mutex; // guards m_new
    std::vector<spans::Step> m_new;
    std::optional<spans::Assembler> m_assembler; // of the thread until end()
    std::list<Connection> m_connections; // refer to the assembler
    Message m_trouble;
    bool m_noMemory = false;
    std::atomic<bool> m_heard = false;
    std::thread m_thread;
};

} // namespace ep::session

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/backend.h"
#include "ep/session/events.h"
#include "ep/session/server_request.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ep::session {

struct RequestRecorderOptions {
    RunRequest run; // how runs are measured and kept
    std::uint16_t server_port = 0;
    std::string engine;
};

// Makes a run of each request that a client sends to a server, while continuously measuring power.
// Overlapping requests form a group, which is concluded once all have ended; its runs share its
// energy. The quiet time before a group is its idle phase. Lives on a thread with an event loop;
// another thread assembles and stores the runs.
class RequestRecorder : public QObject {
    Q_OBJECT
public:
    RequestRecorder(RequestRecorderOptions options, Backend backend, QObject* parent = nullptr);
    ~RequestRecorder() override; // waits for runs in progress; open requests do not become runs

    Status start(); // starts the power source; an error says why it cannot work
    PowerInfo power() const;

    void began(std::uint64_t request, Nanoseconds atNs);
    void ended(std::uint64_t request, ServerRequest facts);
    void drain(); // finishes the requests that have ended; drained() follows

Q_SIGNALS:
    // Emitted once for each request that was passed to ended(), as soon as its figures are known,
    // before its run is stored. The energy is absent if it is unknown, or if other requests
    // overlapped: their shares are known only once all have ended.
    void measured(quint64 request, const ep::RunSummary& run);
    void runMade(const ep::session::RunFinished& finished);
    void drained();

private:
    struct Private;
    void look();
    void conclude();
    std::unique_ptr<Private> d;
};

} // namespace ep::session

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/backend.h"
#include "ep/session/events.h"
#include "ep/session/server_request.h"

#include <QObject>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::session {

struct RequestRecorderOptions {
    power::SourceChoice power;
    int interval_ms = 100;
    std::filesystem::path database; // empty: runs are not stored
    bool store_texts = true; // otherwise only hashes of prompts and answers are saved
    std::vector<std::string> tags;
    std::string experiment;
    std::uint16_t server_port = 0;
    std::string engine;
};

// What is known of a request before its run is stored. The energy is absent if there is none, or if
// other requests overlapped: their shares are known only when all have ended.
struct RequestFigures {
    std::optional<RunMetrics> metrics{};
    int tokens = 0; // of input and output; 0: one of them was not stated
    std::string run_id{};
    std::string power_source{};
};

// Makes a run of each request that somebody else sends to a server, while it measures the power
// without a pause. Requests that overlap form a group, which is concluded when all have ended; its
// runs share its energy. The quiet time before a group is its idle phase. Lives in a thread with an
// event loop; runs are put together and stored on another one.
class RequestRecorder : public QObject {
    Q_OBJECT
public:
    RequestRecorder(RequestRecorderOptions options, Backend backend, QObject* parent = nullptr);
    ~RequestRecorder() override; // waits for the runs in progress; running requests make no run

    Status start(); // the power source; the reason why it cannot work
    PowerInfo power() const;

    void began(std::uint64_t request, Nanoseconds atNs);
    void ended(std::uint64_t request, ServerRequest facts);
    void drain(); // concludes what has ended; drained() follows

Q_SIGNALS:
    // Once for each request that ended() told of, as soon as it is known.
    void measured(quint64 request, const ep::session::RequestFigures& figures);
    void runMade(const ep::session::RunFinished& finished);
    void drained();

private:
    struct Private;
    void look();
    void conclude();
    std::unique_ptr<Private> d;
};

} // namespace ep::session

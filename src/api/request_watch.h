// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client_job.h"

#include "ep/attach/answer.h"
#include "ep/attach/content_coding.h"
#include "ep/attach/http_answer.h"
#include "ep/attach/request_scan.h"
#include "ep/attach/server_search.h"
#include "ep/session/request_recorder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ep::api {

// Reads along while a generating request passes through the proxy, and hands it to the recorder
// at its end. Limits what it keeps of requests and answers: `kept` counts the bytes of all
// watches.
class RequestWatch {
public:
    RequestWatch(const attach::Dialect& dialect, const HttpRequest& request,
                 const attach::FoundServer& server, session::RequestRecorder& recorder,
                 std::int64_t& kept, SessionTree& sessions);
    ~RequestWatch(); // without end(), there is no run
    RequestWatch(const RequestWatch&) = delete;
    RequestWatch& operator=(const RequestWatch&) = delete;

    void asked(std::string_view bytes); // part of the request's body
    void answered(const attach::AnswerHead& head); // the final head
    void received(std::string_view bytes, Nanoseconds atNs); // part of the answer's body
    void end(const Status& outcome, bool reached); // reached: the server was reached

    std::uint64_t number() const { return m_number; } // number given by the recorder
    const attach::Dialect& dialect() const { return m_dialect; }

private:
    void read(std::string_view bytes, Nanoseconds atNs);
    Status keep(std::string_view text);
    void forgetBody();
    void readAsked(session::ServerRequest& request) const;
    bool mayKeep(std::size_t bytes);
    void recount();

    const attach::Dialect& m_dialect;
    const std::string m_target;
    SessionTree& m_sessions;
    const std::string m_job; // from the head; empty: none
    const attach::FoundServer& m_server;
    session::RequestRecorder& m_recorder;
    std::int64_t& m_kept; // bytes kept by all watches
    std::int64_t m_own = 0; // bytes kept by this watch
    const std::uint64_t m_number;
    const Nanoseconds m_began;
    std::string m_body; // of the request, decompressed, unless it is scanned
    attach::ContentDecoder m_bodyDecoder;
    std::optional<attach::RequestScan> m_scan; // if the body is too long to be kept
    std::size_t m_bodyRead = 0; // decompressed bytes
    Status m_unreadBody; // why the body could not be read
    std::optional<attach::AnswerReader> m_reader;
    attach::ContentDecoder m_decoder;
    std::int64_t m_read = 0; // bytes of the answer
    Status m_problem; // why the answer could not be read
    bool m_ended = false;
};

} // namespace ep::api

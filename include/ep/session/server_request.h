// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/answer.h"
#include "ep/core/conversation.h"
#include "ep/core/result.h"

#include <string>
#include <vector>

namespace ep::session {

// One request to a server and its answer, which become a run.
struct ServerRequest {
    std::string engine; // "Ollama 0.12.3"
    std::string dialect; // "ollama-chat"
    std::string address; // "http://127.0.0.1:11434"
    std::string endpoint; // "/api/chat"
    std::string way; // "client", "proxy"
    std::string model; // the requested model; empty: the server's only one
    std::string prompt;
    Conversation conversation{}; // as in RunInfo
    std::string job{}; // id of the client's session; empty: it sent none (session/jobs.h)
    std::string follows{}; // id of the answer that the request continues; empty: none
    int max_tokens = 0; // for each sequence; 0: not stated
    int sequences = 1; // number of answers requested at once
    std::vector<Message> notes{}; // for the run's record
    bool reached = true; // false: no server was reached, so nothing was measured
    attach::Answer answer;
    Status outcome; // an error: why the answer is incomplete
};

} // namespace ep::session

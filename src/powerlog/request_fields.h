// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "log.h"

#include "ep/powerlog/requests.h"

#include <map>
#include <string>

namespace ep::powerlog {

// What one request states, by the names of fields: "usage.prompt_tokens" of a JSON object, the
// header of a column. Values as they are written.
using RequestFields = std::map<std::string, std::string>;

// The request that the fields describe, in any of the usual spellings.
Result<Request> requestOf(const RequestFields& fields, std::int64_t row, LogClock& clock);
std::string modelOf(const RequestFields& fields);

// Logs of llama-server: lines of timings, with the time of each line before it.
bool isLlamaServerLog(std::string_view text);
Result<RequestLog> readLlamaServerLog(std::string_view text);

} // namespace ep::powerlog

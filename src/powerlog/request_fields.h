// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "log.h"

#include "ep/powerlog/requests.h"

#include <map>
#include <string>

namespace ep::powerlog {

// What one request states, by field name: "usage.prompt_tokens" for a JSON object, the header for
// a column. Values are texts as in the file.
using RequestFields = std::map<std::string, std::string>;

// The request described by the fields, in any of the usual spellings.
Result<Request> requestOf(const RequestFields& fields, std::int64_t row, LogClock& clock,
                          LogNumbers& numbers);
std::string modelOf(const RequestFields& fields);

// A log of llama-server: lines with timings, each with its time in front.
bool isLlamaServerLog(std::string_view text);
Result<RequestLog> readLlamaServerLog(std::string_view text);

} // namespace ep::powerlog

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/dialect.h"
#include "ep/json/document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Reads the messages of answers. Missing, null or mistyped members count as not stated.
namespace ep::attach {

inline constexpr double kNanosecondUnit = 1.0;
inline constexpr double kMillisecondUnit = 1e6;
inline constexpr double kSecondUnit = 1e9;

using json::memberOf;
using json::stringAt;
std::optional<std::int64_t> countAt(const json::Json& json, const char* key);
std::optional<Nanoseconds> timeAt(const json::Json& json, const char* key, double unit);
bool isTrueAt(const json::Json& json, const char* key);

// {"error": "..."}, {"error": {"message": "..."}} or the inner object alone.
std::string complaintOf(const json::Json& json);
Result<json::Json> parsedMessage(std::string_view text); // must be an object

// llama.cpp's timings, which it adds in all its dialects, to a message or to a part of one.
void addTimings(const json::Json& json, Figures& figures);

// Adds a text or a list of parts: text and refusals go to the text, the rest is kept separately.
void addContent(const json::Json& content, Message& message);
// Adds a list of tool calls, or parts of calls, which are not text.
void addToolCalls(const json::Json& from, Message& message);

} // namespace ep::attach

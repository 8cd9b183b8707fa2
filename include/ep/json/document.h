// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <string_view>

// The only place where text becomes JSON. Text of others may be damaged or hostile: every function
// here answers with an error of one sentence, throws nothing, and refuses values that are nested
// deeper than kMaxDepth before it builds them, so that no later walk over a value, its copies or
// its destruction can exhaust a thread's stack (512 KB on a Mac). Numbers that no double holds,
// NaN and invalid UTF-8 are errors; the last of equal keys counts.
namespace ep::json {

using Json = nlohmann::json;

// Files of models, runs and studies nest about ten levels deep.
inline constexpr int kMaxDepth = 200;

// InvalidInput: "not valid JSON at line 3, column 7".
Result<Json> parse(std::string_view text);

// The same, refusing objects that hold a key twice.
Result<Json> parseUniqueKeys(std::string_view text);

// The same for a long text: keep(depth, event, value) sees every value as soon as it is complete
// and answers whether it stays in the result (nlohmann's parser_callback_t). What it throws passes
// through.
Result<Json> parse(std::istream& text, const Json::parser_callback_t& keep);

// Whole content of a file; NotFound, or Io when it is larger than maxBytes or unreadable.
Result<std::string> readTextFile(const std::filesystem::path& file, std::uint64_t maxBytes);

// A file that must hold one JSON object.
Result<Json> readFile(const std::filesystem::path& file, std::uint64_t maxBytes);

} // namespace ep::json

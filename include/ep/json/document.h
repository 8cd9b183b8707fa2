// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <string_view>

// The only place where text is parsed as JSON. External text may be damaged or hostile: every
// function here returns an error of one sentence, throws nothing, and rejects values nested deeper
// than kMaxDepth before building them, so that no later traversal, copy or destruction can overflow
// a thread's stack (512 KB on macOS). Numbers that do not fit into a double, NaN and invalid UTF-8
// are errors; of equal keys the last one counts.
namespace ep::json {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json; // for small objects: keys are searched one by one

// Files of models, runs and studies nest about ten levels deep.
inline constexpr int kMaxDepth = 200;

// InvalidInput: "not valid JSON at line 3, column 7".
Result<Json> parse(std::string_view text);

// The same, keeping the order of the members of objects, of which none may have more than
// kMaxOrderedMembers.
inline constexpr int kMaxOrderedMembers = 1000; // finding a key takes time in proportion
Result<OrderedJson> parseOrdered(std::string_view text);

// The same as parse(), rejecting objects with duplicate keys.
Result<Json> parseUniqueKeys(std::string_view text);

// parseOrdered() for a long text: keep(depth, event, value) is called for every completed value and
// returns whether it stays in the result (nlohmann's parser_callback_t). Its exceptions are passed
// on.
Result<OrderedJson> parse(std::istream& text, const OrderedJson::parser_callback_t& keep);

// Reads and parses a whole file; NotFound, or Io if it is larger than maxBytes or unreadable.
Result<std::string> readTextFile(const std::filesystem::path& file, std::uint64_t maxBytes);

// A file that must contain one JSON object. NaN, Infinity and -Infinity are read as Python writes
// them, bare or as {"__float__": "NaN"} of transformers 5; readers of a number refuse them where
// they need a finite one.
Result<Json> readFile(const std::filesystem::path& file, std::uint64_t maxBytes);

} // namespace ep::json

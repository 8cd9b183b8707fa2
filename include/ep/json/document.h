// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/maybe_millijoules.h"
#include "ep/core/result.h"
#include "ep/core/units.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

// An optional value is null if it is absent, a quantity its number.
template <typename T>
struct nlohmann::adl_serializer<std::optional<T>> {
    static void to_json(auto& json, const std::optional<T>& value)
    {
        if (value)
            json = *value;
        else
            json = nullptr;
    }
};
template <typename Tag>
struct nlohmann::adl_serializer<ep::Quantity<Tag>> {
    static void to_json(auto& json, const ep::Quantity<Tag>& quantity) { json = quantity.value; }
};
template <>
struct nlohmann::adl_serializer<ep::MaybeMillijoules> {
    static void to_json(auto& json, const std::optional<ep::Millijoules>& energy) { json = energy; }
};

// The only place where text is parsed as JSON. Text from outside may be damaged or hostile: every
// function here returns errors of one sentence, throws nothing, and rejects values nested deeper
// than kMaxDepth before building them, so that no later traversal, copy or destruction can
// overflow a thread's stack (512 KB on macOS). Numbers that do not fit into a double, NaN and
// invalid UTF-8 are errors; the last of equal keys counts.
namespace ep::json {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json; // for small objects: key search is linear

// Files of models, runs and studies nest about ten levels deep.
inline constexpr int kMaxDepth = 200;

// InvalidInput: "not valid JSON at line 3, column 7".
Result<Json> parse(std::string_view text);

// Parses like parse(), but keeps the order of the members of objects, which may have at most
// kMaxOrderedMembers.
inline constexpr int kMaxOrderedMembers = 1000; // finding a key takes time in proportion
Result<OrderedJson> parseOrdered(std::string_view text);

OrderedJson parsedOrNull(std::string_view text); // null if the text is empty or not JSON

// Parses like parse(), but rejects objects with duplicate keys, except for one key that may be
// repeated.
Result<Json> parseUniqueKeys(std::string_view text, std::string_view except = {});

// parseOrdered() for a long text: calls keep(depth, event, value) for every completed value, which
// returns whether it stays in the result (nlohmann's parser_callback_t). Its exceptions are passed
// on.
Result<OrderedJson> parse(std::istream& text, const OrderedJson::parser_callback_t& keep);

// Reads and parses a whole file; NotFound, or Io if it is larger than maxBytes or unreadable.
Result<std::string> readTextFile(const std::filesystem::path& file, std::uint64_t maxBytes);

// Reads a file that must contain one JSON object. NaN, Infinity and -Infinity are accepted as
// Python writes them, bare or as {"__float__": "NaN"} of transformers 5; readers that need a
// finite number refuse them.
Result<Json> readFile(const std::filesystem::path& file, std::uint64_t maxBytes);
// Like readFile(), for a text that has already been read from the file.
Result<Json> parseFile(const std::filesystem::path& file, const std::string& text);

// The member of an object; null if it is absent or null, or if this is not an object.
template <typename Document>
const Document* memberOf(const Document& json, std::string_view key)
{
    const auto found = json.find(std::string(key));
    return found == json.end() || found->is_null() ? nullptr : &*found;
}

// The text of a member of an object; empty if the member is not a text.
template <typename Document>
std::string stringAt(const Document& json, std::string_view key)
{
    const Document* const member = memberOf(json, key);
    return member != nullptr && member->is_string() ? member->template get<std::string>()
                                                    : std::string();
}

// Writes a value on one line, or indented by that many blanks; invalid UTF-8 becomes U+FFFD.
template <typename Document> // Json or OrderedJson
std::string textOf(const Document& json, int indent = -1);

// The maximum number of values that json::parse() and parseUniqueKeys() read: a value takes up to a
// hundred times the memory of its text. The largest vocabularies in use have 1.9 million values,
// with their merges.
inline constexpr std::size_t kMaxValues = 1U << 22U;

// The size of a text parsed as JSON, found without parsing it. Parsed values take many times the
// memory of their text, so readers of text from outside check this first.
struct TextShape {
    std::size_t values = 0; // commas and opening brackets outside of strings
    int depth = 0; // nesting depth of its brackets
};
TextShape shapeOf(std::string_view text);

} // namespace ep::json

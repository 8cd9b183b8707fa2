// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "value.h"

#include "ep/json/document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ep::text::jinja {

class Runtime;

// Values as formatted by Python. Each function charges the runtime for its output.
std::string toText(Runtime& runtime, const Value& value); // str()
std::string toSource(Runtime& runtime, const Value& value); // repr(), as inside of lists
// The text of a value for a web page: markup as it is, otherwise str() with special characters
// escaped.
std::string toMarkup(Runtime& runtime, const Value& value);
std::string escapedForPage(std::string_view text);
// Makes a text of the same kind as another one: markup if that is markup.
Value textLike(const Value& other, std::string text);
std::string floatText(double number); // 1.0, 1e+16, inf
std::string hexOf(std::uint32_t value, int digits); // the lowest digits

// json.dumps(ensure_ascii=False).
struct JsonStyle {
    std::optional<std::string> indent;
    std::string itemSeparator = ", ";
    std::string keySeparator = ": ";
    bool asciiOnly = false;
    bool sortKeys = false;
};
std::string toJson(Runtime& runtime, const Value& value, const JsonStyle& style);

Value fromJson(const json::OrderedJson& json);

} // namespace ep::text::jinja

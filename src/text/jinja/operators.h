// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runtime.h"
#include "syntax.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ep::text::jinja {

Value arithmetic(Runtime& runtime, Binary::Operator op, const Value& left, const Value& right);
Value arithmeticOfNumbers(Binary::Operator op, const Value& left, const Value& right);
Value negated(const Value& value);
// Fails for a list or dictionary, even inside a tuple, because Python cannot use it as a key.
void requireHashable(const Value& value);
bool contains(Runtime& runtime, const Value& container, const Value& item);

// value[index], value.name and value[begin:end:step]; the first two return undefined instead of
// failing if there is no such item.
Value itemOf(Runtime& runtime, const Value& value, const Value& index);
Value attributeOf(Runtime& runtime, const Value& value, const std::string& name);
Value sliceOf(Runtime& runtime, const Value& value, const Value& begin, const Value& end,
              const Value& step);

Value call(Runtime& runtime, const Value& callee, const Arguments& arguments);
std::size_t lengthOf(const Value& value); // len(); fails for values without a length

// text % values, Python's old formatting.
std::string formatPercent(Runtime& runtime, const std::string& format, const Value& values);

// str.replace(); a negative limit means no limit.
std::string replaced(Runtime& runtime, const std::string& text, const std::string& old,
                     const std::string& by, std::int64_t limit);

// A group of the filter groupby: a tuple whose parts are also called grouper and list.
Value groupOf(const Value& grouper, const Value& list);

// A method bound to a string or dictionary; undefined if there is none with this name.
Value methodOf(const Value& value, const std::string& name);

} // namespace ep::text::jinja

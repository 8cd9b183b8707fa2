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
bool contains(Runtime& runtime, const Value& container, const Value& item);

// value[index], value.name and value[begin:end:step]; the first two are undefined, not failing,
// when there is no such thing.
Value itemOf(Runtime& runtime, const Value& value, const Value& index);
Value attributeOf(Runtime& runtime, const Value& value, const std::string& name);
Value sliceOf(Runtime& runtime, const Value& value, const Value& begin, const Value& end,
              const Value& step);

Value call(Runtime& runtime, const Value& callee, const Arguments& arguments);
std::size_t lengthOf(const Value& value); // len(); fails for what has none

// text % values, as Python's old formatting.
std::string formatPercent(Runtime& runtime, const std::string& format, const Value& values);

// str.replace(); a negative limit is none.
std::string replaced(Runtime& runtime, const std::string& text, const std::string& old,
                     const std::string& by, std::int64_t limit);

// A method of a text or dictionary, bound to it; undefined when there is none of this name.
Value methodOf(const Value& value, const std::string& name);

} // namespace ep::text::jinja

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runtime.h"

#include <string>
#include <string_view>

// The filters, tests and functions available to templates.

namespace ep::text::jinja {

using Filter = Value (*)(Runtime& runtime, const Value& value, const Arguments& arguments);
using Test = bool (*)(Runtime& runtime, const Value& value, const Arguments& arguments);

// Null if there is no filter of this name.
Filter findFilter(std::string_view name);
Test findTest(std::string_view name);

// Both fail if there is nothing of this name.
Value applyFilter(Runtime& runtime, const std::string& name, const Value& value,
                  const Arguments& arguments);
bool applyTest(Runtime& runtime, const std::string& name, const Value& value,
               const Arguments& arguments);

// range, dict, namespace, ..., each by its name.
std::vector<std::pair<std::string, Value>> globalFunctions();

using TextMethod = Value (*)(Runtime&, const std::string&, const Arguments&);

// A method of Python's str; null if there is none with this name.
TextMethod findTextMethod(std::string_view name);
// A method that tests a text, such as isdigit; null for any other name.
TextMethod findTextPredicate(std::string_view name);

} // namespace ep::text::jinja

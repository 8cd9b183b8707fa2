// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ep::test {

// The errors of a JSON text according to a schema in resources/schema/ ("run.schema.json"); empty
// if it is valid. Schemas may refer to others in that folder.
std::string schemaProblem(const std::string& json, const std::string& schemaName);
// The errors of a JSON text according to the text of a schema.
std::string schemaTextProblem(const std::string& json, const std::string& schemaText);

} // namespace ep::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ep::test {

// What is wrong with a JSON text by a schema of resources/schema/ ("run.schema.json"); empty when
// it is valid. Schemas may refer to others of that folder.
std::string schemaProblem(const std::string& json, const std::string& schemaName);
// The same by the text of a schema.
std::string schemaTextProblem(const std::string& json, const std::string& schemaText);

} // namespace ep::test

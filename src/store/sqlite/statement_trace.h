// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct sqlite3;

namespace ep::store {

// With the environment variable EP_TRACE_SQL set, writes each statement of the connection to stderr
// when it ends: milliseconds and text. Values are left out, because they hold prompts and answers.
void traceStatements(sqlite3* connection);

} // namespace ep::store

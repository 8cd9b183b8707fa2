// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/statement_trace.h"

#include <sqlite3.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace ep::store {

namespace {

constexpr double kNsPerMs = 1e6;

int writeStatement(unsigned /*event*/, void* /*context*/, void* statement, void* duration)
{
    const char* text = sqlite3_sql(static_cast<sqlite3_stmt*>(statement));
    const auto ns = *static_cast<const std::int64_t*>(duration);
    static_cast<void>(std::fprintf(stderr, "sql %10.3f ms  %s\n",
                                   static_cast<double>(ns) / kNsPerMs, text ? text : ""));
    return 0;
}

} // namespace

void traceStatements(sqlite3* connection)
{
    if (std::getenv("EP_TRACE_SQL") != nullptr)
        sqlite3_trace_v2(connection, SQLITE_TRACE_PROFILE, writeStatement, nullptr);
}

} // namespace ep::store

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/run_row.h"

namespace ep::store {

std::string runColumnNames()
{
    std::string names;
    const RunRow row;
    visitColumns(row, [&](const ColumnName& name, const auto&) {
        names += names.empty() ? "" : ", ";
        names += name.text();
    });
    return names;
}

} // namespace ep::store

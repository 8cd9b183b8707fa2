// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/run_settings.h"

#include <string>
#include <utility>

namespace ep::test {

// Gives a setting another value than it has.
inline void makeUnusual(const session::RunSetting& row, session::RunRequest& run)
{
    const auto& [least, most] = std::pair(row.values.least, row.values.most);
    if (row.number())
        return setValue(row, run, valueOf(row, run) == least ? most : least);
    const std::string now = textOf(row, run);
    const std::string other = row.toggles() ? (now == "on" ? "off" : "on")
        : row.values.list                   ? row.values.list().back()
                                            : now + 'x';
    static_cast<void>(readSetting(row, other, run));
}

} // namespace ep::test

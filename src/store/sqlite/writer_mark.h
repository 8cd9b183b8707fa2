// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace ep::store {

// Identifies one process uniquely: process ids are reused, in particular after a restart.
struct WriterMark {
    std::int64_t pid = 0;
    std::string mark; // boot of the machine and start of the process

    bool operator==(const WriterMark&) const = default;
};

WriterMark thisWriter();

// The scope of process ids: the name of the machine, and of the container if it is one.
std::string thisHost();

// Whether exactly this process is still running on this machine.
bool isAlive(const WriterMark& writer);

} // namespace ep::store

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace ep::store {

// Names one life of one process: process ids are given out again, and again after a restart.
struct WriterMark {
    std::int64_t pid = 0;
    std::string mark; // boot of the machine and start of the process

    bool operator==(const WriterMark&) const = default;
};

WriterMark thisWriter();

// Where process ids mean the same: the name of the machine, and of the container if it is one.
std::string thisHost();

// Whether that very process still runs on this machine.
bool isAlive(const WriterMark& writer);

} // namespace ep::store

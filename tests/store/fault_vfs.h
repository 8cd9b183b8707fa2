// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ep::test {

// Stands between SQLite and the disk while it lives, as the default way to open files. Not more
// than one at a time.
class FaultVfs {
public:
    enum class Call { Write, Sync, Truncate, Open };
    enum class Fault { Full, IoError, ShortWrite };

    // What a file system does about memory that processes share: gives it, knows no such thing, or
    // fails when it is mapped.
    enum class SharedMemory { Given, Unknown, Unmappable };

    explicit FaultVfs(SharedMemory memory = SharedMemory::Given);
    ~FaultVfs();
    FaultVfs(const FaultVfs&) = delete;
    FaultVfs& operator=(const FaultVfs&) = delete;

    // The nth call (from 1) of this kind from now on fails, and all of them after it if lasting.
    void failAt(Call call, int nth, Fault fault, bool lasting);
    void stopFailing();
    bool failed() const; // whether a call has failed since failAt()
};

} // namespace ep::test

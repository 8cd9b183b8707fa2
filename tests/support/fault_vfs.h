// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ep::test {

// What SQLite did to a file.
struct DiskStep {
    enum class Kind { Write, Truncate, Sync, Remove };
    Kind kind = Kind::Write;
    std::string name;
    std::int64_t offset = 0; // or the new size
    std::string bytes{};
};

// A disk as a power cut leaves it: it holds of each file what was synced, and whichever of the
// later changes it happened to write.
class SyncedDisk {
public:
    using Survives = std::function<bool()>; // asked for each change that was not synced

    void put(const std::string& name, const std::string& content);
    void apply(const DiskStep& step);
    // The files whose names begin with `from`, with `folder` in its place.
    void writeTo(const std::string& from, const std::string& folder,
                 const Survives& survives = nullptr) const;

private:
    struct File {
        std::string synced;
        std::vector<DiskStep> later; // in their order
        bool exists = false; // was synced at least once
    };
    static void change(std::string& content, const DiskStep& step);

    std::map<std::string, File> m_files;
};

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
    // The same for calls of all kinds together.
    void failAtAny(int nth, Fault fault, bool lasting);
    void stopFailing();
    bool failed() const; // whether a call has failed since failAt()

    // Keeps each step from now on.
    void record();
    void stopRecording();
    const std::vector<DiskStep>& recorded() const;
};

} // namespace ep::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ep::test {

// An operation of SQLite on a file.
struct DiskStep {
    enum class Kind { Write, Truncate, Sync, Remove };
    Kind kind = Kind::Write;
    std::string name;
    std::int64_t offset = 0; // or the new size of the file
    std::string bytes{};
};

// The disk as a power cut leaves it: for each file it has what was synced, and any of the later
// changes that happened to be written.
class SyncedDisk {
public:
    using Survives = std::function<bool()>; // asked for each change that was not synced

    void put(const std::string& name, const std::string& content);
    void apply(const DiskStep& step);
    // Writes the files whose names begin with `from`, with `folder` in place of that.
    void writeTo(const std::string& from, const std::string& folder,
                 const Survives& survives = nullptr) const;

private:
    struct File {
        std::string synced;
        std::vector<DiskStep> later; // in order of writing
        bool exists = false; // was synced at least once
    };
    static void change(std::string& content, const DiskStep& step);

    std::map<std::string, File> m_files;
};

// While it exists, it stands between SQLite and the disk as the default way to open files. Only
// one at a time.
class FaultVfs {
public:
    enum class Call { Write, Sync, Truncate, Open };
    enum class Fault { Full, IoError, ShortWrite };

    // How a file system handles memory shared by processes: provides it, does not support it, or
    // fails to map it.
    enum class SharedMemory { Given, Unknown, Unmappable };

    explicit FaultVfs(SharedMemory memory = SharedMemory::Given);
    ~FaultVfs();
    FaultVfs(const FaultVfs&) = delete;
    FaultVfs& operator=(const FaultVfs&) = delete;

    // Lets the nth call (from 1) of this kind fail, and all later ones too if lasting.
    void failAt(Call call, int nth, Fault fault, bool lasting);
    // Lets the nth call of any kind fail, and all later ones too if lasting.
    void failAtAny(int nth, Fault fault, bool lasting);
    void stopFailing();
    bool failed() const; // whether a call has failed since failAt()

    // Records each step from now on.
    void record();
    void stopRecording();
    const std::vector<DiskStep>& recorded() const;
};

} // namespace ep::test

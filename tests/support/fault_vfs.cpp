// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fault_vfs.h"

#include <sqlite3.h>

#include <filesystem>
#include <fstream>

namespace ep::test {

namespace {

struct Plan {
    bool active = false;
    FaultVfs::Call call = FaultVfs::Call::Write;
    FaultVfs::Fault fault = FaultVfs::Fault::Full;
    int countdown = 0;
    bool lasting = false;
    bool failed = false;
    bool any = false; // any call
};

sqlite3_vfs* g_real = nullptr;
sqlite3_vfs g_vfs;
sqlite3_io_methods g_methods;
Plan g_plan;
bool g_recording = false;
std::vector<DiskStep> g_steps;

// SQLite allocates this much memory for each open file; the real file follows it.
struct File {
    sqlite3_file base;
    const char* name; // SQLite keeps the name until the file is closed; null for temporary files
    sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

sqlite3_file* realOf(sqlite3_file* file)
{
    return reinterpret_cast<File*>(file)->real();
}

void note(DiskStep::Kind kind, const char* name, std::int64_t offset = 0,
          std::string_view bytes = {})
{
    if (g_recording && name)
        g_steps.push_back({kind, name, offset, std::string(bytes)});
}

const char* nameOf(sqlite3_file* file)
{
    return reinterpret_cast<File*>(file)->name;
}

bool fails(FaultVfs::Call call)
{
    if (!g_plan.active || (g_plan.call != call && !g_plan.any))
        return false;
    --g_plan.countdown;
    const bool now = g_plan.countdown == 0 || (g_plan.lasting && g_plan.countdown < 0);
    g_plan.failed = g_plan.failed || now;
    return now;
}

int codeOf(FaultVfs::Call call)
{
    if (g_plan.fault == FaultVfs::Fault::Full)
        return SQLITE_FULL;
    switch (call) {
    case FaultVfs::Call::Write:
        return SQLITE_IOERR_WRITE;
    case FaultVfs::Call::Sync:
        return SQLITE_IOERR_FSYNC;
    case FaultVfs::Call::Truncate:
        return SQLITE_IOERR_TRUNCATE;
    case FaultVfs::Call::Open:
        return SQLITE_CANTOPEN;
    }
    return SQLITE_IOERR;
}

int closeFile(sqlite3_file* file)
{
    return realOf(file)->pMethods->xClose(realOf(file));
}
int readFile(sqlite3_file* file, void* buffer, int amount, sqlite3_int64 offset)
{
    return realOf(file)->pMethods->xRead(realOf(file), buffer, amount, offset);
}
int writeFile(sqlite3_file* file, const void* buffer, int amount, sqlite3_int64 offset)
{
    sqlite3_file* real = realOf(file);
    if (!fails(FaultVfs::Call::Write)) {
        note(DiskStep::Kind::Write, nameOf(file), offset,
             {static_cast<const char*>(buffer), static_cast<std::size_t>(amount)});
        return real->pMethods->xWrite(real, buffer, amount, offset);
    }
    if (g_plan.fault == FaultVfs::Fault::ShortWrite) {
        real->pMethods->xWrite(real, buffer, amount / 2, offset);
        return SQLITE_IOERR_WRITE;
    }
    return codeOf(FaultVfs::Call::Write);
}
int truncateFile(sqlite3_file* file, sqlite3_int64 size)
{
    if (fails(FaultVfs::Call::Truncate))
        return codeOf(FaultVfs::Call::Truncate);
    note(DiskStep::Kind::Truncate, nameOf(file), size);
    return realOf(file)->pMethods->xTruncate(realOf(file), size);
}
// Does not sync the real disk: only the order of calls matters here.
int syncFile(sqlite3_file* file, int)
{
    if (fails(FaultVfs::Call::Sync))
        return codeOf(FaultVfs::Call::Sync);
    note(DiskStep::Kind::Sync, nameOf(file));
    return SQLITE_OK;
}
int fileSize(sqlite3_file* file, sqlite3_int64* size)
{
    return realOf(file)->pMethods->xFileSize(realOf(file), size);
}
int lockFile(sqlite3_file* file, int kind)
{
    return realOf(file)->pMethods->xLock(realOf(file), kind);
}
int unlockFile(sqlite3_file* file, int kind)
{
    return realOf(file)->pMethods->xUnlock(realOf(file), kind);
}
int checkLock(sqlite3_file* file, int* result)
{
    return realOf(file)->pMethods->xCheckReservedLock(realOf(file), result);
}
int controlFile(sqlite3_file* file, int operation, void* argument)
{
    return realOf(file)->pMethods->xFileControl(realOf(file), operation, argument);
}
int sectorSize(sqlite3_file* file)
{
    return realOf(file)->pMethods->xSectorSize(realOf(file));
}
int characteristics(sqlite3_file* file)
{
    return realOf(file)->pMethods->xDeviceCharacteristics(realOf(file));
}
int mapShared(sqlite3_file* file, int page, int size, int extend, void volatile** memory)
{
    return realOf(file)->pMethods->xShmMap(realOf(file), page, size, extend, memory);
}
int mapNothing(sqlite3_file*, int, int, int, void volatile**)
{
    return SQLITE_IOERR_SHMMAP;
}
int lockShared(sqlite3_file* file, int offset, int count, int flags)
{
    return realOf(file)->pMethods->xShmLock(realOf(file), offset, count, flags);
}
void barrier(sqlite3_file* file)
{
    realOf(file)->pMethods->xShmBarrier(realOf(file));
}
int unmapShared(sqlite3_file* file, int erase)
{
    return realOf(file)->pMethods->xShmUnmap(realOf(file), erase);
}

int openFile(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* outFlags)
{
    file->pMethods = nullptr;
    reinterpret_cast<File*>(file)->name = name;
    if (fails(FaultVfs::Call::Open))
        return codeOf(FaultVfs::Call::Open);
    const int code = g_real->xOpen(g_real, name, realOf(file), flags, outFlags);
    if (code == SQLITE_OK)
        file->pMethods = &g_methods;
    return code;
}

int removeFile(sqlite3_vfs*, const char* name, int syncFolder)
{
    const int code = g_real->xDelete(g_real, name, syncFolder);
    if (code == SQLITE_OK)
        note(DiskStep::Kind::Remove, name);
    return code;
}

} // namespace

FaultVfs::FaultVfs(SharedMemory memory)
{
    g_real = sqlite3_vfs_find(nullptr);
    g_vfs = *g_real; // everything except opening is passed on to the real one
    g_vfs.zName = "fault";
    g_vfs.szOsFile = g_real->szOsFile + static_cast<int>(sizeof(File));
    g_vfs.xOpen = openFile;
    g_vfs.xDelete = removeFile;
    g_methods = {};
    g_methods.iVersion = memory == SharedMemory::Unknown ? 1 : 2;
    g_methods.xClose = closeFile;
    g_methods.xRead = readFile;
    g_methods.xWrite = writeFile;
    g_methods.xTruncate = truncateFile;
    g_methods.xSync = syncFile;
    g_methods.xFileSize = fileSize;
    g_methods.xLock = lockFile;
    g_methods.xUnlock = unlockFile;
    g_methods.xCheckReservedLock = checkLock;
    g_methods.xFileControl = controlFile;
    g_methods.xSectorSize = sectorSize;
    g_methods.xDeviceCharacteristics = characteristics;
    g_methods.xShmMap = memory == SharedMemory::Unmappable ? mapNothing : mapShared;
    g_methods.xShmLock = lockShared;
    g_methods.xShmBarrier = barrier;
    g_methods.xShmUnmap = unmapShared;
    g_plan = {};
    sqlite3_vfs_register(&g_vfs, 1);
}

FaultVfs::~FaultVfs()
{
    sqlite3_vfs_unregister(&g_vfs);
    sqlite3_vfs_register(g_real, 1);
}

void FaultVfs::failAt(Call call, int nth, Fault fault, bool lasting)
{
    g_plan = {true, call, fault, nth, lasting, false, false};
}

void FaultVfs::failAtAny(int nth, Fault fault, bool lasting)
{
    g_plan = {true, Call::Write, fault, nth, lasting, false, true};
}

void FaultVfs::record()
{
    g_steps.clear();
    g_recording = true;
}

void FaultVfs::stopRecording()
{
    g_recording = false;
}

const std::vector<DiskStep>& FaultVfs::recorded() const
{
    return g_steps;
}

void SyncedDisk::put(const std::string& name, const std::string& content)
{
    m_files[name] = {content, {}, true};
}

void SyncedDisk::change(std::string& content, const DiskStep& step)
{
    const auto offset = static_cast<std::size_t>(step.offset);
    if (step.kind == DiskStep::Kind::Truncate) {
        content.resize(offset);
        return;
    }
    if (content.size() < offset + step.bytes.size())
        content.resize(offset + step.bytes.size());
    content.replace(offset, step.bytes.size(), step.bytes);
}

void SyncedDisk::apply(const DiskStep& step)
{
    if (step.kind == DiskStep::Kind::Remove) {
        m_files.erase(step.name);
        return;
    }
    File& file = m_files[step.name];
    if (step.kind != DiskStep::Kind::Sync) {
        file.later.push_back(step);
        return;
    }
    for (const DiskStep& one : file.later)
        change(file.synced, one);
    file.later.clear();
    file.exists = true;
}

void SyncedDisk::writeTo(const std::string& from, const std::string& folder,
                         const Survives& survives) const
{
    for (const auto& [name, file] : m_files) {
        if (!name.starts_with(from))
            continue;
        std::string content = file.synced;
        bool exists = file.exists;
        for (const DiskStep& one : file.later) {
            if (!survives || !survives())
                continue;
            change(content, one);
            exists = true;
        }
        if (exists)
            std::ofstream(folder + name.substr(from.size()), std::ios::binary) << content;
    }
}

void FaultVfs::stopFailing()
{
    g_plan.active = false;
}

bool FaultVfs::failed() const
{
    return g_plan.failed;
}

} // namespace ep::test

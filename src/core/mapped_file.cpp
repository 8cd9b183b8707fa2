// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/mapped_file.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ep {
// Regions are linked once and then reused, never freed, because the signal handler walks the list
// at any moment, without a lock.
struct MappedRegion {
    std::atomic<std::uintptr_t> begin{0}; // 0: free
    std::atomic<std::uintptr_t> end{0};
    std::atomic<bool> gaps{false};
    MappedRegion* next = nullptr;
};

namespace {

std::atomic<MappedRegion*> regions{nullptr};
std::uintptr_t pageSize = 0;
struct sigaction earlier = {};

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);
static_assert(std::atomic<MappedRegion*>::is_always_lock_free);
static_assert(std::atomic<bool>::is_always_lock_free);

// The end of the region that contains the address, or 0. A region that another thread is reusing
// may have an old end, but then its two beginnings differ, or neither range contains the address:
// a range in use is not changed while a thread reads from it.
std::uintptr_t endAround(const MappedRegion& region, std::uintptr_t address)
{
    const std::uintptr_t begin = region.begin.load();
    const std::uintptr_t end = region.end.load();
    const bool stable = begin != 0 && region.begin.load() == begin;
    return stable && address >= begin && address < end ? end : 0;
}

// Maps zeros from the page of the address up to the end of its region. Makes only calls that are
// safe in a signal handler.
bool fillGap(std::uintptr_t address)
{
    for (MappedRegion* region = regions.load(); region != nullptr; region = region->next) {
        const std::uintptr_t end = endAround(*region, address);
        if (end == 0)
            continue;
        const std::uintptr_t page = address & ~(pageSize - 1);
        // The remaining pages of a file that was shortened are gone as well.
        void* const zeros = ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        region->gaps.store(true);
        return zeros != MAP_FAILED;
    }
    return false;
}

void passOn(int number, siginfo_t* info, void* context)
{
    if ((earlier.sa_flags & SA_SIGINFO) != 0 && earlier.sa_sigaction != nullptr) {
        earlier.sa_sigaction(number, info, context);
    } else if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN) {
        earlier.sa_handler(number);
    } else {
        ::signal(number, SIG_DFL);
        ::raise(number); // delivered when the handler returns
    }
}

// These codes mean a memory access; signals sent by a process and failures of the memory itself
// have other codes.
bool isAccess(const siginfo_t& info)
{
    return info.si_code == BUS_ADRALN || info.si_code == BUS_ADRERR || info.si_code == BUS_OBJERR;
}

extern "C" void onBusError(int number, siginfo_t* info, void* context)
{
    if (!isAccess(*info) || !fillGap(reinterpret_cast<std::uintptr_t>(info->si_addr)))
        passOn(number, info, context);
}

void install()
{
    pageSize = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action = {};
    action.sa_sigaction = onBusError;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask); // a macro on a Mac, so no "::"
    ::sigaction(SIGBUS, nullptr, &earlier);
    ::sigaction(SIGBUS, &action, nullptr);
}

std::mutex& registration()
{
    static std::mutex mutex; // one thread at a time takes or links a region
    return mutex;
}

// Reading a page of a mapping that its file no longer has raises SIGBUS, which would end the
// process. In a watched range of memory such pages read as zeros instead, and the region records
// it. Signals for other addresses go to the previous handler. Any thread.
MappedRegion* watchRegion(const std::byte* begin, std::size_t size)
{
    static std::once_flag installed;
    std::call_once(installed, install);
    const std::lock_guard lock(registration());
    MappedRegion* region = regions.load();
    while (region != nullptr && region->begin.load() != 0)
        region = region->next;
    const bool isNew = region == nullptr;
    if (isNew)
        region = new MappedRegion;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    region->gaps.store(false);
    region->end.store((address + size + pageSize - 1) & ~(pageSize - 1));
    region->begin.store(address);
    if (isNew) {
        region->next = regions.load();
        regions.store(region);
    }
    return region;
}

void unwatchRegion(MappedRegion* region)
{
    region->begin.store(0);
}

// call it before unmapping the range
bool hasGaps(const MappedRegion& region)
{
    return region.gaps.load(std::memory_order_relaxed);
}

Error failure(const std::filesystem::path& file, const char* doing)
{
    const int code = errno;
    if (code == ENOENT || code == ENOTDIR)
        return {ErrorCode::NotFound, {"There is no file %1.", file.string()}};
    return {ErrorCode::Io, {"Cannot %1 %2 (%3).", doing, file.string(), std::strerror(code)}};
}

struct Descriptor {
    int fd;
    ~Descriptor() { ::close(fd); }
};

FileIdentity identityOf(const struct stat& info)
{
#ifdef __APPLE__
    const timespec& written = info.st_mtimespec;
#else
    const timespec& written = info.st_mtim;
#endif
    return {.device = static_cast<std::uint64_t>(info.st_dev),
            .number = static_cast<std::uint64_t>(info.st_ino),
            .size = static_cast<std::int64_t>(info.st_size),
            .written_ns =
                static_cast<std::int64_t>(written.tv_sec) * 1'000'000'000 + written.tv_nsec};
}

} // namespace

bool isFile(const std::filesystem::path& path)
{
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

MappedFile::MappedFile(std::filesystem::path path, const FileIdentity& identity,
                       const std::byte* data, std::size_t size)
    : m_path(std::move(path))
    , m_identity(identity)
    , m_data(data)
    , m_size(size)
    , m_region(size > 0 ? watchRegion(data, size) : nullptr)
{
}

MappedFile::~MappedFile()
{
    if (m_region == nullptr)
        return;
    unwatchRegion(m_region);
    ::munmap(const_cast<std::byte*>(m_data), m_size);
}

bool MappedFile::hasGaps() const
{
    return m_region != nullptr && ep::hasGaps(*m_region);
}

Status MappedFile::unchanged() const
{
    struct stat info = {};
    const bool there = ::stat(m_path.c_str(), &info) == 0;
    const FileIdentity now = there ? identityOf(info) : FileIdentity();
    const bool same = there && now.device == m_identity.device && now.number == m_identity.number;
    if (same && now != m_identity) {
        return Error{ErrorCode::Io,
                     {"The file %1 changed while it was read: wait until its download or copy is "
                      "complete, then try again.",
                      m_path.string()}};
    }
    if (hasGaps()) {
        return Error{ErrorCode::Io,
                     {"A part of the file %1 can no longer be read: check its disk or network "
                      "connection, then try again.",
                      m_path.string()}};
    }
    return {};
}

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& file)
{
    // A pipe without a writer would block the thread forever.
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return failure(file, "open");
    const Descriptor descriptor{fd};
    struct stat info = {};
    if (::fstat(fd, &info) != 0)
        return failure(file, "examine");
    if (!S_ISREG(info.st_mode))
        return Error{ErrorCode::InvalidInput, {"%1 is not a file.", file.string()}};
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size == 0)
        return std::shared_ptr<const MappedFile>(
            new MappedFile(file, identityOf(info), nullptr, 0));
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return failure(file, "map");
    return std::shared_ptr<const MappedFile>(
        new MappedFile(file, identityOf(info), static_cast<const std::byte*>(data), size));
}

} // namespace ep

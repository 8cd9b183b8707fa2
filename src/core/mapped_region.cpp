// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapped_region.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

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

// These codes mean a memory access; signals that a process sends have other codes, as have
// failures of the memory itself.
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

} // namespace

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

bool hasGaps(const MappedRegion& region)
{
    return region.gaps.load(std::memory_order_relaxed);
}

} // namespace ep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "thread_pool.h"

namespace ep::model {
namespace {

constexpr int kSpins = 500;
constexpr int kYields = 50;

// A ticket packs the number of the job, its number of chunks and the next chunk into one word, so
// that a claim checks all three atomically: a late thread cannot claim from another job.
constexpr int kChunkBits = 20;
constexpr std::uint64_t kChunkMask = (1U << kChunkBits) - 1;

std::uint64_t makeTicket(std::uint32_t epoch, std::uint32_t chunks)
{
    return static_cast<std::uint64_t>(epoch) << (2 * kChunkBits)
        | static_cast<std::uint64_t>(chunks) << kChunkBits;
}

bool hasChunk(std::uint64_t ticket, std::uint32_t epoch)
{
    const std::uint64_t next = ticket & kChunkMask;
    const std::uint64_t chunks = (ticket >> kChunkBits) & kChunkMask;
    return next < chunks && ticket - next == makeTicket(epoch, static_cast<std::uint32_t>(chunks));
}

void pauseBriefly()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace

ThreadPool::ThreadPool(int threads)
{
    try {
        for (int i = 1; i < threads; ++i)
            m_workers.emplace_back([this] { loop(); });
    } catch (...) { // otherwise the threads already running would end the program
        end();
        throw;
    }
}

ThreadPool::~ThreadPool()
{
    end();
}

void ThreadPool::end()
{
    m_stop.store(true, std::memory_order_relaxed);
    m_epoch.fetch_add(1, std::memory_order_release);
    m_epoch.notify_all();
    for (std::thread& worker : m_workers)
        worker.join();
}

void ThreadPool::runOnAll(Function function, const void* context, std::uint32_t chunks)
{
    m_function = function;
    m_context = context;
    m_done.store(0, std::memory_order_relaxed);
    const std::uint32_t epoch = m_epoch.load(std::memory_order_relaxed) + 1;
    m_ticket.store(makeTicket(epoch, chunks), std::memory_order_release);
    m_epoch.store(epoch, std::memory_order_release);
    m_epoch.notify_all();

    work(epoch);
    for (int i = 0; m_done.load(std::memory_order_acquire) != chunks; ++i) {
        if (i < kSpins)
            pauseBriefly();
        else
            std::this_thread::yield();
    }
}

void ThreadPool::work(std::uint32_t epoch)
{
    std::uint64_t ticket = m_ticket.load(std::memory_order_acquire);
    while (hasChunk(ticket, epoch)) {
        // The claim only succeeds while this job is running. The job cannot end before the claimed
        // chunk is done, so function and context belong to it.
        if (!m_ticket.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel,
                                            std::memory_order_acquire))
            continue;
        m_function(m_context, static_cast<std::int64_t>(ticket & kChunkMask));
        m_done.fetch_add(1, std::memory_order_release);
        ++ticket;
    }
}

void ThreadPool::loop()
{
    std::uint32_t seen = 0;
    while (true) {
        std::uint32_t epoch = m_epoch.load(std::memory_order_acquire);
        for (int i = 0; epoch == seen && i < kSpins + kYields; ++i) {
            if (i < kSpins)
                pauseBriefly();
            else
                std::this_thread::yield();
            epoch = m_epoch.load(std::memory_order_acquire);
        }
        if (epoch == seen) {
            m_epoch.wait(seen, std::memory_order_acquire);
            continue;
        }
        seen = epoch;
        if (m_stop.load(std::memory_order_relaxed))
            return;
        work(epoch);
    }
}

} // namespace ep::model

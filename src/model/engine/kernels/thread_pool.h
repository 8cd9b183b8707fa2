// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace ep::model {

// Splits one job at a time over a few threads and waits for it: a fork and join of microseconds,
// hundreds of times per token. The caller works too, and chunks are claimed one by one, so a
// preempted thread delays no other. Between jobs the threads spin for some microseconds, then
// yield, then sleep: waiting uses no energy that would be charged to a run.
//
// One thread at a time may call run(). The job must not throw and must not call run().
//
// Why nothing more than these memory orders is needed, on processors that reorder as well (C++20,
// [intro.races]); "caller" is the thread in run(), "worker" any thread in work():
//  1. What a job needs. The caller writes function, context and all that the job reads, then stores
//     the ticket (release). A worker touches them only after a successful exchange of the ticket
//     (acquire), which reads that store or an exchange in the release sequence that it heads, so
//     the writes happen before the worker's reads.
//  2. What a job made. A worker adds to m_done (release) after its chunk. The caller reads the full
//     number (acquire) at the end of a chain of such additions. Each of them heads a release
//     sequence that includes the later ones, so all chunks happen before run() returns and, by 1,
//     before every later job, on whichever thread that runs.
//  3. Function and context are plain. They are written only after 2 for the previous job, and read
//     only between a claim and its addition to m_done: no write is concurrent with a read.
//  4. m_done is set to 0 (relaxed) before the ticket's store, so by 1 every addition of the job
//     comes after it in the modification order; by 2 none of the previous job is pending.
//  5. The epoch only wakes threads. It is stored (release) after the ticket, so a thread that sees
//     it (acquire) cannot read an older ticket. A late thread finds a newer one, whose number
//     differs, and claims nothing. If a thread sleeps through 2^24 jobs and finds its own ticket's
//     number again, the exchange claims a chunk of the current job with that number, whose function
//     it reads after it.
//  6. m_stop is stored before the epoch's last step (release) and read after that step was seen
//     (acquire), so relaxed ordering is enough for it.
class ThreadPool {
public:
    explicit ThreadPool(int threads); // including the caller; at least 1
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int threads() const { return static_cast<int>(m_workers.size()) + 1; }

    // Calls job(chunk) for 0 <= chunk < chunks, in any order and on any thread. chunks: a million
    // at most.
    template <typename Job>
    void run(std::int64_t chunks, Job&& job)
    {
        if (chunks <= 1 || m_workers.empty()) {
            for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
                job(chunk);
            return;
        }
        using Plain = std::remove_reference_t<Job>;
        runOnAll([](const void* context,
                    std::int64_t chunk) { (*static_cast<const Plain*>(context))(chunk); },
                 &job, static_cast<std::uint32_t>(chunks));
    }

    // Splits [0, count) into pieces of about `grain`, each a multiple of `multiple` except the
    // last; calls job(begin, end) for each.
    template <typename Job>
    void runRanges(std::int64_t count, std::int64_t grain, std::int64_t multiple, Job&& job)
    {
        const std::int64_t size = (grain < multiple ? multiple : grain) / multiple * multiple;
        const std::int64_t chunks = (count + size - 1) / size;
        run(chunks, [&](std::int64_t chunk) {
            const std::int64_t begin = chunk * size;
            job(begin, begin + size < count ? begin + size : count);
        });
    }

private:
    void end();
    using Function = void (*)(const void* context, std::int64_t chunk);

    void runOnAll(Function function, const void* context, std::uint32_t chunks);
    void work(std::uint32_t epoch); // claims chunks of the job until none is left
    void loop();

    std::vector<std::thread> m_workers;
    Function m_function = nullptr; // like m_context, written only while no chunk is claimed
    const void* m_context = nullptr;
    std::atomic<std::uint64_t> m_ticket{0}; // number and chunks of the job, and the next chunk
    std::atomic<std::uint32_t> m_done{0}; // finished chunks of the current job
    std::atomic<std::uint32_t> m_epoch{0}; // job number; idle threads wait for a change
    std::atomic<bool> m_stop{false};
};

} // namespace ep::model

// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol of src/model/engine/kernels/thread_pool.cpp, statement by statement, for Relacy: a
// checker that runs it under many schedules, with every value that the C++ memory model lets a
// load return, and reports data races, lost work and deadlocks. Only built by
// scripts/check_memory_model.sh; -DEP_WEAKENED weakens one ordering, which must be found.
#include <relacy/relacy.hpp>

namespace {

constexpr unsigned kWorkers = 2;
constexpr unsigned kJobs = 2;
constexpr unsigned kChunks = 2;
constexpr unsigned kChunkBits = 8;
constexpr unsigned kChunkMask = (1U << kChunkBits) - 1;
#ifdef EP_WEAKENED
constexpr auto kDoneOrder = rl::mo_relaxed;
#else
constexpr auto kDoneOrder = rl::mo_release;
#endif

unsigned makeTicket(unsigned epoch, unsigned chunks)
{
    return epoch << (2 * kChunkBits) | chunks << kChunkBits;
}

bool hasChunk(unsigned ticket, unsigned epoch)
{
    const unsigned next = ticket & kChunkMask;
    const unsigned chunks = (ticket >> kChunkBits) & kChunkMask;
    return next < chunks && ticket - next == makeTicket(epoch, chunks);
}

struct PoolTest : rl::test_suite<PoolTest, kWorkers + 1> {
    rl::var<unsigned> function; // plain, like context
    rl::var<unsigned> input; // read by the job, written by the caller
    rl::var<unsigned> output[kChunks]; // written by the job, read by the caller
    rl::atomic<unsigned> ticket;
    rl::atomic<unsigned> done;
    rl::atomic<unsigned> epoch;
    rl::atomic<unsigned> stop;

    void before()
    {
        ticket($) = 0;
        done($) = 0;
        epoch($) = 0;
        stop($) = 0;
        function($) = 0;
        input($) = 0;
        for (auto& one : output)
            one($) = 0;
    }

    void work(unsigned e)
    {
        unsigned seen = ticket($).load(rl::mo_acquire);
        while (hasChunk(seen, e)) {
            if (!ticket($).compare_exchange_weak(seen, seen + 1, rl::mo_acq_rel, rl::mo_acquire))
                continue;
            output[seen & kChunkMask]($) = function($) + input($);
            done($).fetch_add(1, kDoneOrder);
            ++seen;
        }
    }

    void run(unsigned job)
    {
        input($) = 10 * job;
        function($) = job;
        done($).store(0, rl::mo_relaxed);
        const unsigned e = epoch($).load(rl::mo_relaxed) + 1;
        ticket($).store(makeTicket(e, kChunks), rl::mo_release);
        epoch($).store(e, rl::mo_release);
        work(e);
        rl::linear_backoff backoff;
        while (done($).load(rl::mo_acquire) != kChunks)
            backoff.yield($);
        for (auto& one : output)
            RL_ASSERT(one($) == 11 * job);
    }

    void thread(unsigned index)
    {
        if (index == 0) {
            for (unsigned job = 1; job <= kJobs; ++job)
                run(job);
            stop($).store(1, rl::mo_relaxed);
            epoch($).fetch_add(1, rl::mo_release);
            return;
        }
        unsigned seen = 0;
        rl::linear_backoff backoff;
        while (true) {
            const unsigned e = epoch($).load(rl::mo_acquire);
            if (e == seen) { // spins, then sleeps until the epoch changes
                backoff.yield($);
                continue;
            }
            seen = e;
            if (stop($).load(rl::mo_relaxed) != 0)
                return;
            work(e);
        }
    }
};

} // namespace

int main()
{
    rl::test_params params;
    params.search_type = rl::random_scheduler_type;
    params.iteration_count = 200'000;
    params.execution_depth_limit = 5'000;
    return rl::simulate<PoolTest>(params) ? 0 : 1;
}

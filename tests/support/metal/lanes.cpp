// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/metal/lanes.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <ucontext.h>
#include <vector>

namespace ep::test::metal {
namespace {

constexpr std::size_t kStackBytes = 256 * 1024;

enum class State { Running, AtBarrier, InSum, Ended };

struct Thread {
    ucontext_t context{};
    std::unique_ptr<std::byte[]> stack = std::make_unique<std::byte[]>(kStackBytes);
    State state = State::Running;
    float value = 0.0F; // for a sum: the lane's value, then the sum of all lanes
};

struct Group {
    std::span<Thread> threads;
    const std::function<void(unsigned)>* body = nullptr;
    ucontext_t scheduler{};
    unsigned current = 0;
    std::exception_ptr failure{};
};

Group* running = nullptr; // at most one per thread of the processor

void enter()
{
    try {
        (*running->body)(running->current);
    } catch (...) {
        running->failure = std::current_exception();
    }
    running->threads[running->current].state = State::Ended;
} // continues in the scheduler

void wait(State state)
{
    Thread& self = running->threads[running->current];
    self.state = state;
    swapcontext(&self.context, &running->scheduler);
}

bool all(std::span<const Thread> threads, State state)
{
    return std::ranges::all_of(threads,
                               [&](const Thread& thread) { return thread.state == state; });
}

// Releases the threads that have met; false if none can continue.
bool release(std::span<Thread> threads)
{
    if (all(threads, State::AtBarrier)) {
        for (Thread& thread : threads)
            thread.state = State::Running;
        return true;
    }
    bool released = false;
    for (std::size_t first = 0; first < threads.size(); first += kLanes) {
        const auto lanes = threads.subspan(first, kLanes);
        if (!all(lanes, State::InSum))
            continue;
        float sum = 0.0F;
        for (const Thread& lane : lanes)
            sum += lane.value;
        for (Thread& lane : lanes) {
            lane.value = sum;
            lane.state = State::Running;
        }
        released = true;
    }
    return released;
}

} // namespace

void runGroup(unsigned threads, const std::function<void(unsigned thread)>& body)
{
    static std::vector<Thread> pool; // keeps stacks for reuse
    if (pool.size() < threads)
        pool.resize(threads);
    Group group{.threads = std::span(pool).first(threads), .body = &body};
    running = &group;
    for (Thread& thread : group.threads) {
        thread.state = State::Running;
        getcontext(&thread.context);
        thread.context.uc_stack.ss_sp = thread.stack.get();
        thread.context.uc_stack.ss_size = kStackBytes;
        thread.context.uc_link = &group.scheduler;
        makecontext(&thread.context, enter, 0);
    }
    do {
        for (unsigned i = 0; i < threads && !group.failure; ++i) {
            group.current = i;
            if (group.threads[i].state == State::Running)
                swapcontext(&group.scheduler, &group.threads[i].context);
        }
    } while (!group.failure && release(group.threads));
    running = nullptr;
    if (group.failure)
        std::rethrow_exception(group.failure);
    if (!all(group.threads, State::Ended))
        throw std::logic_error("some threads of a group wait for others that never come");
}

void waitForGroup()
{
    wait(State::AtBarrier);
}

float sumOfLanes(float value)
{
    Thread& self = running->threads[running->current];
    self.value = value;
    wait(State::InSum);
    return self.value;
}

unsigned currentLane()
{
    return running->current % kLanes;
}

} // namespace ep::test::metal

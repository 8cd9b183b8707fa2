// SPDX-License-Identifier: GPL-3.0-or-later
#include "metal_buffers.h"

#include "torch_compat.h"

#include "ep/core/objective_c.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <dlfcn.h>
#include <exception>
#include <mutex>
#include <utility>

namespace ep::model {
namespace {

using Finished = std::function<void(const BufferTimes&)>;

constexpr unsigned long kStatusError = 5; // MTLCommandBufferStatusError

// A block with the layout that a compiler gives ^(id<MTLCommandBuffer> buffer) { ... } with a
// captured handler (clang.llvm.org/docs/Block-ABI-Apple.html). Metal copies it to the heap, hence
// the two helpers.
struct HandlerBlock {
    struct Captured {
        MetalCalls calls;
        Finished finished;
    };
    struct Descriptor {
        unsigned long reserved;
        unsigned long size;
        void (*copy)(void* to, const void* from);
        void (*dispose)(const void* block);
    };

    void* isa;
    int flags;
    int reserved;
    void (*invoke)(HandlerBlock* self, void* buffer);
    const Descriptor* descriptor;
    Captured* captured; // each copy has its own

    static void invoked(HandlerBlock* self, void* buffer)
    {
        const MetalCalls& calls = self->captured->calls;
        self->captured->finished(
            {.end_s = calls.number(buffer, calls.selector("GPUEndTime")),
             .failed = calls.integer(buffer, calls.selector("status")) == kStatusError});
    }
    static void copied(void* to, const void* from)
    {
        static_cast<HandlerBlock*>(to)->captured =
            new Captured(*static_cast<const HandlerBlock*>(from)->captured);
    }
    static void disposed(const void* block)
    {
        delete static_cast<const HandlerBlock*>(block)->captured;
    }
};

constexpr int kHasCopyDispose = 1 << 25; // BLOCK_HAS_COPY_DISPOSE
constexpr HandlerBlock::Descriptor kDescriptor{0, sizeof(HandlerBlock), HandlerBlock::copied,
                                               HandlerBlock::disposed};

// Submits the work so far to the GPU as a separate buffer. Calls `finished` at most once, on any
// thread, possibly after the GPU has executed everything. False: nothing was committed.
bool commitBuffer(const MetalCalls& calls, Finished finished)
{
    struct Work {
        HandlerBlock::Captured captured;
        bool done = false;
    } work{{calls, std::move(finished)}};
    // LibTorch 2.15 ends the process if these calls come from outside its queue.
    calls.dispatch_sync(calls.queue(), &work, [](void* context) {
        auto& [captured, done] = *static_cast<Work*>(context);
        const MetalCalls& own = captured.calls;
        try {
            void* const buffer = own.buffer(); // ends the open encoder
            HandlerBlock block{own.stack_block_class, kHasCopyDispose, 0,
                               HandlerBlock::invoked, &kDescriptor,    &captured};
            own.give_block(buffer, own.selector("addCompletedHandler:"), &block);
            own.commit();
            done = true;
        } catch (const std::exception&) {
            // No exception may pass through the queue's C code; the mark is lost.
        }
    });
    return work.done;
}

#ifdef CLOCK_UPTIME_RAW
double uptimeSeconds() // mach_absolute_time, which stops while the Mac sleeps
{
    return static_cast<double>(clock_gettime_nsec_np(CLOCK_UPTIME_RAW)) * 1e-9;
}
#else
double uptimeSeconds()
{
    return static_cast<double>(monotonicNow()) * 1e-9;
}
#endif

} // namespace

std::optional<MetalCalls> findMetalCalls()
{
#if EP_HAS_TORCH_MPS
    if (!mpsAvailable())
        return std::nullopt;
    const auto runtime = findObjectiveC();
    const auto sync = reinterpret_cast<decltype(MetalCalls::dispatch_sync)>(
        dlsym(RTLD_DEFAULT, "dispatch_sync_f"));
    void* const blockClass = dlsym(RTLD_DEFAULT, "_NSConcreteStackBlock");
    if (!runtime || !sync || !blockClass)
        return std::nullopt;
    return MetalCalls{.selector = runtime->selector,
                      .number = reinterpret_cast<decltype(MetalCalls::number)>(runtime->send),
                      .integer = reinterpret_cast<decltype(MetalCalls::integer)>(runtime->send),
                      .give_block =
                          reinterpret_cast<decltype(MetalCalls::give_block)>(runtime->send),
                      .dispatch_sync = sync,
                      .stack_block_class = blockClass,
                      .seconds = uptimeSeconds,
                      .queue = [] { return static_cast<void*>(torch::mps::get_dispatch_queue()); },
                      .buffer = [] { return static_cast<void*>(torch::mps::get_command_buffer()); },
                      .commit = torch::mps::commit,
                      .synchronize = torch::mps::synchronize};
#else
    (void)uptimeSeconds;
    return std::nullopt;
#endif
}

// A handler that runs after its read() writes into a batch that nobody reads any more, never into
// the marks of a later one.
struct BufferTimer::Batch {
    std::mutex mutex; // guards all members
    std::condition_variable arrived;
    std::vector<std::optional<BufferTimes>> marks;
    std::size_t pending = 0;

    void finish(std::size_t index, const BufferTimes& times)
    {
        const std::lock_guard lock(mutex);
        if (marks[index])
            return;
        marks[index] = times;
        --pending;
        arrived.notify_all();
    }
};

BufferTimer::BufferTimer(const MetalCalls& calls, Nanoseconds patience)
    : m_calls(calls)
    , m_patience(patience)
    , m_batch(std::make_shared<Batch>())
    , m_last(monotonicNow())
{
}

BufferTimer::~BufferTimer() = default;

std::uint32_t BufferTimer::mark()
{
    std::size_t index = 0;
    {
        const std::lock_guard lock(m_batch->mutex);
        index = m_batch->marks.size();
        m_batch->marks.emplace_back();
        ++m_batch->pending;
    }
    if (!commitBuffer(m_calls, [batch = m_batch, index](const BufferTimes& times) {
            batch->finish(index, times);
        }))
        m_batch->finish(index, {.failed = true});
    return static_cast<std::uint32_t>(index);
}

Status BufferTimer::read(std::vector<Nanoseconds>& times)
{
    times.clear();
    const std::shared_ptr<Batch> batch = std::exchange(m_batch, std::make_shared<Batch>());
    std::unique_lock lock(batch->mutex);
    if (batch->marks.empty())
        return {};
    lock.unlock();
    m_calls.synchronize(); // outside of the queue, which LibTorch 2.15 enters itself
    // Both clocks are read together once per token, so that drift does not add up, and a sleep of
    // the machine, which only the host's clock counts, shifts at most one token.
    const double offset = static_cast<double>(monotonicNow()) - m_calls.seconds() * 1e9;
    lock.lock();
    batch->arrived.wait_for(lock, std::chrono::nanoseconds(m_patience),
                            [&] { return batch->pending == 0; });
    for (const std::optional<BufferTimes>& mark : batch->marks) {
        if (!mark || mark->failed)
            ++m_lost;
        else if (mark->end_s > 0.0)
            m_last = std::max(m_last, static_cast<Nanoseconds>(mark->end_s * 1e9 + offset));
        times.push_back(m_last);
    }
    return {};
}

} // namespace ep::model

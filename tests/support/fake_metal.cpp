// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_metal.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace ep::test::fake_metal {
namespace {

double seconds()
{
    return static_cast<double>(monotonicNow()) * 1e-9;
}

// The layout of Apple's block ABI, as seen by code that copies and calls blocks.
struct Descriptor {
    unsigned long reserved;
    unsigned long size;
    void (*copy)(void* to, const void* from);
    void (*dispose)(const void* block);
};
struct Block {
    void* isa;
    int flags;
    int reserved;
    void (*invoke)(Block* self, void* buffer);
    const Descriptor* descriptor;
};

struct Buffer {
    double seconds = 0.0; // duration of the work
    double end_s = 0.0;
    unsigned long status = 0;
    Behaviour behaviour = Behaviour::Prompt;
    std::vector<Block*> handlers;
};

struct State {
    std::mutex mutex; // guards live
    int live = 0;
    Behaviour behaviour = Behaviour::Prompt;
    double gpu_s = 0.0; // when the GPU will have finished everything committed
    Buffer* open = nullptr;
    std::vector<Buffer*> committed; // not yet completed
    std::vector<Buffer*> all;
    std::vector<std::thread> threads;
    bool on_queue = false;
    int outside = 0;
};

State* state = nullptr;

int isaMark = 0;
int queueMark = 0;

Block* copyOf(Block* block)
{
    void* const memory = std::malloc(block->descriptor->size);
    std::memcpy(memory, block, block->descriptor->size);
    block->descriptor->copy(memory, block);
    const std::lock_guard lock(state->mutex);
    ++state->live;
    return static_cast<Block*>(memory);
}

void release(Block* block)
{
    block->descriptor->dispose(block);
    std::free(block);
    const std::lock_guard lock(state->mutex);
    --state->live;
}

void complete(Buffer* buffer)
{
    for (Block* const handler : std::exchange(buffer->handlers, {})) {
        if (buffer->behaviour != Behaviour::Lost)
            handler->invoke(handler, buffer);
        if (buffer->behaviour == Behaviour::Twice)
            handler->invoke(handler, buffer);
        release(handler);
    }
}

void* selector(const char* name)
{
    static std::set<std::string> names;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    return const_cast<char*>(names.insert(name).first->c_str());
}

double number(void* object, void* asked)
{
    const auto* const buffer = static_cast<const Buffer*>(object);
    const std::string name = static_cast<const char*>(asked);
    return name == "GPUEndTime" ? buffer->end_s : throw std::logic_error(name);
}

unsigned long integer(void* object, void* asked)
{
    if (std::string(static_cast<const char*>(asked)) != "status")
        throw std::logic_error("unknown property");
    return static_cast<const Buffer*>(object)->status;
}

void giveBlock(void* object, void* asked, void* block)
{
    if (std::string(static_cast<const char*>(asked)) != "addCompletedHandler:")
        throw std::logic_error("unknown method");
    static_cast<Buffer*>(object)->handlers.push_back(copyOf(static_cast<Block*>(block)));
}

void dispatchSync(void* queue, void* context, void (*run)(void*))
{
    if (queue != &queueMark)
        throw std::logic_error("not LibTorch's queue");
    state->on_queue = true;
    run(context);
    state->on_queue = false;
}

Buffer* openBuffer()
{
    if (!state->open) {
        state->open = new Buffer;
        state->all.push_back(state->open);
    }
    return state->open;
}

void* commandBuffer()
{
    state->outside += !state->on_queue;
    if (state->behaviour == Behaviour::Throwing)
        throw std::runtime_error("no command buffer");
    return openBuffer();
}

void commit()
{
    state->outside += !state->on_queue;
    Buffer* const buffer = std::exchange(state->open, nullptr);
    buffer->behaviour = state->behaviour;
    buffer->status = state->behaviour == Behaviour::Failing ? 5 : 4;
    if (buffer->seconds > 0.0) { // the GPU records no times for an empty buffer
        // Begins right after the previous buffer, however long the test was held up in between.
        const double start_s =
            state->committed.empty() ? std::max(state->gpu_s, seconds()) : state->gpu_s;
        buffer->end_s = start_s + buffer->seconds;
        state->gpu_s = buffer->end_s;
    }
    state->committed.push_back(buffer);
}

void synchronize()
{
    if (state->on_queue)
        throw std::logic_error("LibTorch 2.15 would wait for itself");
    std::this_thread::sleep_for(std::chrono::duration<double>(state->gpu_s - seconds()));
    std::vector<Buffer*> done = std::exchange(state->committed, {});
    const bool late =
        std::ranges::any_of(done, [](const Buffer* b) { return b->behaviour == Behaviour::Late; });
    if (std::ranges::any_of(done,
                            [](const Buffer* b) { return b->behaviour == Behaviour::Reversed; }))
        std::ranges::reverse(done);
    std::thread handlers([done = std::move(done), late] {
        if (late)
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
        for (Buffer* const buffer : done)
            complete(buffer);
    });
    if (late)
        state->threads.push_back(std::move(handlers));
    else
        handlers.join();
}

void* queue()
{
    return &queueMark;
}

} // namespace

model::MetalCalls calls()
{
    if (state) {
        finish();
        for (Buffer* const buffer : state->all)
            delete buffer;
        delete state;
    }
    state = new State;
    return {.selector = selector,
            .number = number,
            .integer = integer,
            .give_block = giveBlock,
            .dispatch_sync = dispatchSync,
            .stack_block_class = &isaMark,
            .seconds = seconds,
            .queue = queue,
            .buffer = commandBuffer,
            .commit = commit,
            .synchronize = synchronize};
}

void behave(Behaviour behaviour)
{
    state->behaviour = behaviour;
}

void work(double duration)
{
    openBuffer()->seconds += duration;
}

int liveBlocks()
{
    const std::lock_guard lock(state->mutex);
    return state->live;
}

int callsOutsideQueue()
{
    return state->outside;
}

void finish()
{
    for (std::thread& thread : state->threads)
        thread.join();
    state->threads.clear();
}

} // namespace ep::test::fake_metal

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/clock.h"
#include "ep/model/engine.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ep::model {

// What the GPU itself recorded for one command buffer.
struct BufferTimes {
    double end_s =
        0.0; // in seconds of its clock; 0: the buffer was empty, so the GPU recorded nothing
    bool failed = false; // the GPU did not finish the buffer
};

// The functions of macOS and LibTorch that timing Metal's command buffers needs, as pointers, so
// that it compiles everywhere and can be tested with fakes.
struct MetalCalls {
    void* (*selector)(const char* name) = nullptr; // sel_registerName
    // objc_msgSend, with the type of each called method
    double (*number)(void* object, void* selector) = nullptr;
    unsigned long (*integer)(void* object, void* selector) = nullptr;
    void (*give_block)(void* object, void* selector, void* block) = nullptr;
    void (*dispatch_sync)(void* queue, void* context,
                          void (*work)(void*)) = nullptr; // dispatch_sync_f
    void* stack_block_class = nullptr; // address of _NSConcreteStackBlock
    double (*seconds)() = nullptr; // the clock of GPUEndTime: mach_absolute_time in seconds
    void* (*queue)() = nullptr; // torch::mps::get_dispatch_queue
    void* (*buffer)() = nullptr; // torch::mps::get_command_buffer, an MTLCommandBuffer
    void (*commit)() = nullptr; // torch::mps::commit
    void (*synchronize)() = nullptr; // torch::mps::synchronize
};

// Marks that end a command buffer: a mark's time is the end of its buffer as recorded by the GPU.
// Costs a commit, but no waiting and no event.
class BufferTimer final : public SpanTimer {
public:
    // patience: how long read() waits for handlers once the GPU has finished
    explicit BufferTimer(const MetalCalls& calls, Nanoseconds patience = 1'000'000'000);
    ~BufferTimer() override;

    std::uint32_t mark() override;
    Status read(std::vector<Nanoseconds>& times) override;
    std::int64_t lost() const override { return m_lost; }

private:
    struct Batch;

    MetalCalls m_calls;
    Nanoseconds m_patience;
    std::shared_ptr<Batch> m_batch; // marks since the last read(); handlers share it
    Nanoseconds m_last; // time of the last mark
    std::int64_t m_lost = 0;
};

// Absent if the system is not macOS or this LibTorch has no MPS.
std::optional<MetalCalls> findMetalCalls();

} // namespace ep::model

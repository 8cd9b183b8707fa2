// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "buffer_timer.h"

#include <memory>
#include <optional>

namespace ep::model {

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

// Absent if the system is not macOS or this LibTorch has no MPS.
std::optional<MetalCalls> findMetalCalls();

std::unique_ptr<CommandBuffers> makeMetalBuffers(const MetalCalls& calls);

} // namespace ep::model

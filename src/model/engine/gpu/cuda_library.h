// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/gpu_library.h"

#include <cstddef>
#include <memory>
#include <optional>

namespace ep::model {

// The functions that are used from NVIDIA's run-time compiler (NVRTC 11.2 or later) and from its
// driver. All return 0 for success.
struct CudaCalls {
    int (*create)(void** program, const char* text, const char* name, int headers,
                  const char* const* header_texts, const char* const* header_names) = nullptr;
    int (*compile)(void* program, int options, const char* const* option) = nullptr;
    int (*log_size)(void* program, std::size_t* bytes) = nullptr;
    int (*log)(void* program, char* text) = nullptr;
    int (*binary_size)(void* program, std::size_t* bytes) = nullptr;
    int (*binary)(void* program, char* bytes) = nullptr;
    int (*destroy)(void** program) = nullptr;
    int (*load)(void** module, const void* binary) = nullptr;
    int (*unload)(void* module) = nullptr;
    int (*function)(void** function, void* module, const char* name) = nullptr;
    int (*launch)(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                  void* stream, void** parameters, void** extra) = nullptr;
    int (*device)(int* device) = nullptr; // finds the device of the current context
    int (*attribute)(int* value, int attribute, int device) = nullptr;
    int (*error_text)(int error, const char** text) = nullptr;
};

// Finds these functions in the libraries that come with LibTorch's CUDA half; absent without it.
// Keeps the libraries open.
std::optional<CudaCalls> findCudaCalls();

// Compiles for the device of the current context, and launches on its default stream, on which
// LibTorch computes. Throws if the source does not compile.
std::unique_ptr<GpuLibrary> makeCudaLibrary(const CudaCalls& calls, const GpuSource& source);

} // namespace ep::model

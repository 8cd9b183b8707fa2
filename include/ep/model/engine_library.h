// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/time_range.h"
#include "ep/model/dtype.h"
#include "ep/model/engine.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace ep::model {

// The engine's file on the disk.
struct EngineFile {
    std::filesystem::path path;
    std::string torch; // version of LibTorch that the engine was built with
};

// Repeats one matmul of activations [rows, width] and weights [width, width] on the processor, as
// a model would compute it.
struct MatmulRequest {
    DType dtype = DType::F32; // format of the weights
    std::int64_t rows = 1;
    std::int64_t width = 4096;
    std::int64_t matrices = 1; // number of weights used in turn, so that none stays in a cache
    int threads = 0; // 0: the number that a model would use
    double seconds = 1.0;
    CancelToken cancel{};
};

// Several matmuls in succession, taking some hundredths of a second.
struct MatmulBurst {
    TimeRange time;
    double flops = 0.0;
    double bytes = 0.0; // of weights, inputs and outputs
};

struct MatmulTimes {
    int threads = 0;
    std::vector<MatmulBurst> bursts;
};

// Whether an accelerator uses our own kernels, for matmuls with weights of a stored type, or for
// an operation.
struct DeviceKernelCheck {
    std::string device; // "mps"
    std::string dtype; // empty if the check is about an operation
    std::string operation; // "norms"; empty if the check is about matmuls
    std::string problem; // empty: it does; otherwise weights are dequantized before each matmul,
                         // or LibTorch's functions compute the operation
};

// The library with the LibTorch engine, loaded once and kept (LibTorch cannot be unloaded).
// Loading takes about a second; any thread, one at a time.
class EngineLibrary {
public:
    // Looks next to the executable and in the install library folder; EP_ENGINE_LIBRARY overrides.
    static Result<std::shared_ptr<EngineLibrary>> open();
    // Only looks for the file, which takes no time and no memory.
    static Result<EngineFile> find();

    virtual ~EngineLibrary() = default;
    virtual EngineVersions versions() const = 0;
    // Usable devices: "cpu", "cuda:0", ... Opens the CUDA part of LibTorch if there is an NVIDIA
    // driver.
    virtual std::vector<std::string> devices() const { return {"cpu"}; }
    // Why the library is unusable with this program, as a sentence; open() then refuses it. Empty
    // if it is usable.
    virtual Message whyUnusable() const { return {}; }
    // A cancelled load frees everything and returns Cancelled.
    virtual Result<std::unique_ptr<Engine>>
    load(const LoadRequest& request, const ProgressFn& progress, CancelToken cancel) = 0;
    // Tests our own kernels for this machine's accelerators, for every type that has one; takes
    // seconds. Empty: we have no kernels for its devices.
    virtual std::vector<DeviceKernelCheck> checkDeviceKernels() { return {}; }
    // Measures the rates that the machine reaches; a cancelled measurement returns Cancelled.
    virtual Result<MatmulTimes> timeMatmuls(const MatmulRequest& request);
};

} // namespace ep::model

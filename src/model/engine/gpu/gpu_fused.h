// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/gpu_library.h"
#include "kernels.h"
#include "weights.h"

#include "ep/model/engine_library.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::model {

// Norms, rotations of heads, gates and statistics by one kernel each on GPUs, where LibTorch
// (aten_functions.h) needs up to nine. Each kernel is tested on the device against LibTorch's
// functions, which replace it if it fails. Belongs to the inference thread.
class GpuFused {
public:
    enum class Operation : std::uint8_t { Norm, Rotation, Gate, Statistics };
    static constexpr std::array kOperations{Operation::Norm, Operation::Rotation, Operation::Gate,
                                            Operation::Statistics};

    // Compiles and tests the kernels. activations: the number type of inputs and outputs.
    GpuFused(const GpuLanguage& language, at::Device device, at::ScalarType activations);

    // Absent if the kernel cannot be used for this. x [rows, heads x width]; cosines and sines
    // [rows, pairs]; f(x) multiplier.
    std::optional<at::Tensor> norm(const at::Tensor& x, const Norm& norm, std::int64_t heads);
    std::optional<at::Tensor> rotate(const at::Tensor& x, std::int64_t heads,
                                     const at::Tensor& cosines, const at::Tensor& sines,
                                     bool interleaved);
    std::optional<at::Tensor> gate(Activation kind, const at::Tensor& x,
                                   const at::Tensor& multiplier);

    // Mean of |x|, standard deviation, largest |x| and the share of |x| below the threshold,
    // written to `out`, an f32 tensor [4] on the device. False if the kernel cannot be used for
    // this.
    bool statistics(const at::Tensor& x, float threshold, const at::Tensor& out);

    // Why the kernel of an operation is not used; empty if it is.
    const std::string& failureOf(Operation operation) const
    {
        return m_failures[static_cast<std::size_t>(operation)];
    }
    std::vector<Message> notes() const; // the failures, one sentence each

private:
    std::string whyItFails(Operation operation);
    bool takes(Operation operation, const at::Tensor& x) const;
    void launch(const char* kernel, std::vector<at::Tensor> tensors, const void* constants,
                std::size_t bytes, std::uint64_t groups, std::uint64_t threads);

    std::string m_gpus; // "Apple's GPUs"
    at::Device m_device;
    at::ScalarType m_type;
    std::unique_ptr<GpuLibrary> m_library;
    std::array<std::string, kOperations.size()> m_failures;
};

std::string_view name(GpuFused::Operation operation); // "norms"

// Tests each operation with activations of every type.
std::vector<DeviceKernelCheck> checkGpuFused(const GpuLanguage& language, at::Device device);

} // namespace ep::model

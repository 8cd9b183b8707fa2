// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metal/metal_formats.h"
#include "metal/metal_library.h"
#include "weights.h"

#include "ep/model/engine_library.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::model {

// Matmuls with block-quantized weights as stored, by our own kernels on Apple's GPUs. Each format
// is tested on the device before its first use, against LibTorch's functions (dequantization.h),
// which compute what fails the test. Belongs to the inference thread.
class MetalProducts {
public:
    // activations: the number type of inputs and outputs.
    MetalProducts(CompileMetal compile, at::Device device, at::ScalarType activations);

    // Compiles and tests the kernels of a format; true if they are used from now on. Later calls
    // only look up the result. False for formats without kernels.
    bool prepare(DType dtype);

    // x W^T + b, absent if the kernels cannot be used for this weight.
    std::optional<at::Tensor> linear(const at::Tensor& x, const Linear& layer);

    // Block types that prepare() was called for:
    std::vector<std::string> used() const; // names of those that kernels multiply
    std::vector<std::string> dequantized() const; // names of those that are dequantized first
    // "LibTorch; as they are stored, by kernels for Metal: q4_k, q6_k; dequantized first: q5_0"
    std::string computation() const;
    std::string kernels() const; // "Metal: q4_k, q6_k"; empty if none is used
    std::string failureOf(DType dtype) const; // empty if they are used, or were not prepared
    // Why existing kernels of a format are not used, one sentence each.
    std::vector<std::string> notes() const;

private:
    struct Kernels {
        std::unique_ptr<MetalLibrary> library; // null: they are not used
        std::string failure; // why not; empty for formats without kernels
    };

    const Kernels& kernelsOf(DType dtype);
    Kernels tested(const MetalFormat& format) const;
    at::Tensor multiply(MetalLibrary& library, const MetalFormat& format, const at::Tensor& x,
                        const Linear& layer) const;
    std::string whyItFails(MetalLibrary& library, const MetalFormat& format) const;

    CompileMetal m_compile;
    at::Device m_device;
    at::ScalarType m_type;
    std::map<DType, Kernels> m_kernels;
};

// Tests each format that has kernels with activations of every type.
std::vector<DeviceKernelCheck> checkMetalProducts(const CompileMetal& compile, at::Device device);

} // namespace ep::model

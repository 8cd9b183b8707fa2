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

// Products with weights in blocks as they are stored, by kernels of our own on Apple's GPUs. Each
// format is put to the test on the device before its first use, against LibTorch's functions
// (dequantization.h); these compute what fails it. Belongs to the inference thread.
class MetalProducts {
public:
    // activations: the number type of inputs and outputs.
    MetalProducts(CompileMetal compile, at::Device device, at::ScalarType activations);

    // Compiles and tests the kernels of a format; true if they are used from now on. Later calls
    // only look it up. False for formats without kernels.
    bool prepare(DType dtype);

    // x W^T + b, or nothing if the kernels cannot be used for this weight.
    std::optional<at::Tensor> linear(const at::Tensor& x, const Linear& layer);

    // Block types that prepare() was asked for:
    std::vector<std::string> used() const; // names of those that kernels multiply
    std::vector<std::string> dequantized() const; // names of those that are dequantized first
    // "LibTorch; as they are stored, by kernels for Metal: q4_k, q6_k; dequantized first: q5_0"
    std::string computation() const;
    std::string kernels() const; // "Metal: q4_k, q6_k"; empty if none is used
    std::string failureOf(DType dtype) const; // empty if they are used, or were not prepared
    // Why kernels are not used though the format has some, a sentence each.
    std::vector<std::string> notes() const;

private:
    struct Kernels {
        std::unique_ptr<MetalLibrary> library; // null: not used
        std::string failure; // why; empty for formats without kernels
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

// Each format that has kernels, with activations of every type.
std::vector<DeviceKernelCheck> checkMetalProducts(const CompileMetal& compile, at::Device device);

} // namespace ep::model

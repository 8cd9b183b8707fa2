// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/gpu_formats.h"
#include "gpu/gpu_library.h"
#include "weights.h"

#include "ep/model/engine_library.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::model {

// Matmuls with block-quantized weights as stored, by our own kernels on GPUs. Each format is tested
// on the device before its first use, against LibTorch's products of weights that the processor has
// dequantized (dequantization.h), which replace kernels that fail. Belongs to the inference thread.
class GpuMatmul {
public:
    // activations: the number type of inputs and outputs.
    GpuMatmul(const GpuLanguage& language, at::Device device, at::ScalarType activations);

    // Compiles and tests the kernels of a format; true if they are used from now on. Later calls
    // only look up the result. False for formats without kernels.
    bool prepare(DType dtype);

    // x W^T + b, absent if the kernels cannot be used for this weight.
    std::optional<at::Tensor> linear(const at::Tensor& x, const Linear& layer);
    // All values [rows, columns], absent if no kernel can be used for this weight.
    std::optional<at::Tensor> dequantized(const Weight& weight);

    // Block types that prepare() was called for:
    std::vector<std::string> used() const; // names of types that kernels multiply
    std::vector<std::string> dequantizedFirst() const; // names of types that are dequantized first
    // "LibTorch; as they are stored, by kernels for Metal: q4_k, q6_k; dequantized first: q5_0"
    std::string computation() const;
    std::string kernels() const; // "Metal: q4_k, q6_k"; empty if none is used
    std::string failureOf(DType dtype) const; // empty if the kernels are used, or were not prepared
    // Why existing kernels of a format are not used, one sentence each.
    std::vector<Message> notes() const;

private:
    struct Kernels {
        std::unique_ptr<GpuLibrary> library; // null: the kernels are not used
        std::string failure; // why not; empty for formats without kernels
    };

    const Kernels& kernelsOf(DType dtype);
    Kernels tested(const GpuFormat& format) const;
    at::Tensor multiply(GpuLibrary& library, const GpuFormat& format, const at::Tensor& x,
                        const Linear& layer) const;
    at::Tensor dequantize(GpuLibrary& library, const GpuFormat& format, const Weight& weight) const;
    std::string whyItFails(GpuLibrary& library, const GpuFormat& format) const;

    GpuLanguage m_language;
    at::Device m_device;
    at::ScalarType m_type;
    std::map<DType, Kernels> m_kernels;
};

// Tests each format that has kernels with activations of every type.
std::vector<DeviceKernelCheck> checkGpuMatmul(const GpuLanguage& language, at::Device device);

} // namespace ep::model

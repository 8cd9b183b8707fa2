// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"
#include "families/family_shape.h"
#include "kernel_choice.h"
#include "weights.h"

#include "ep/core/cancel.h"
#include "ep/model/dtype.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ep::model {

class ThreadPool;

// Loads the weights of a decoder from a checkpoint: looks them up, checks type, shape and that they
// are finite, and moves them to the device, without a copy if the processor computes from the
// stored type. Invalid tensors throw LoadError immediately; missing ones are collected, so that the
// message of finish() can name them.
class WeightLoader {
public:
    WeightLoader(const Checkpoint& checkpoint, at::Device device, DType dtype, ThreadPool& pool,
                 ProgressFn progress, CancelToken cancel);

    // From now on, matrices with these names are rounded to these types.
    void roundMatrices(std::map<std::string, DType> types) { m_types = std::move(types); }
    // From now on, plain weights keep their stored types even if most have another one. On
    // accelerators this applies to f32 only, for the matrices and norms that are stored in it.
    void keepPlainTypes() { m_keepPlain = true; }
    // From now on, matrices keep their stored types, and block-quantized ones stay in the file. On
    // accelerators, this applies only to block-quantized ones, which are copied there as they are.
    void keepStoredTypes() { m_keep = true; }

    bool has(const std::string& name) const { return m_checkpoint.find(name) != nullptr; }

    Weight matrix(const std::string& name, std::int64_t rows, std::int64_t columns);
    // The matrices of one tensor [count, rows, columns].
    std::vector<Weight> matrices(const std::string& name, std::int64_t count, std::int64_t rows,
                                 std::int64_t columns);
    // The matrices of one tensor stored as [count, columns, rows], which is transposed when
    // loading; packed tensors are never stored that way.
    std::vector<Weight> matricesOfInputs(const std::string& name, std::int64_t count,
                                         std::int64_t rows, std::int64_t columns);
    WeightVector vector(const std::string& name, std::int64_t size);
    WeightVector wideVector(const std::string& name, std::int64_t size); // f32 on every device
    // -exp(x) of a vector, f32 on every device. GGUF files contain the result.
    WeightVector negativeExponential(const std::string& name, std::int64_t size);
    // The weights of a convolution, [channels, 1, taps], transposed to [taps, channels].
    WeightVector taps(const std::string& name, std::int64_t channels, std::int64_t taps);
    // A vector of equal values, which does not come from the checkpoint.
    WeightVector constant(std::int64_t size, float value) const;
    // The vectors of one tensor [count, size].
    std::vector<WeightVector> vectors(const std::string& name, std::int64_t count,
                                      std::int64_t size);
    // A matrix of the file in its plain type, arranged by the caller; give it to made() with the
    // name that it would have if it were stored so.
    at::Tensor plain(const std::string& name, std::int64_t rows, std::int64_t columns);
    Weight made(const at::Tensor& matrix, const std::string& name);
    // prefix + ".weight" [out, in], and prefix + ".bias" [out] if `bias` is true.
    Linear linear(const std::string& prefix, std::int64_t in, std::int64_t out, bool bias,
                  const LinearLayout& layout = {});
    Norm rmsNorm(const std::string& prefix, std::int64_t width, double epsilon);
    // A norm without weights in the file.
    Norm plainRmsNorm(std::int64_t width, double epsilon) const;
    // A norm whose weights are one tensor times a factor.
    Norm scaledRmsNorm(const std::string& name, std::int64_t width, double epsilon, double factor);
    // For Gemma, whose files store the weight minus one.
    Norm rmsNormPlusOne(const std::string& prefix, std::int64_t width, double epsilon);
    Norm layerNorm(const std::string& prefix, std::int64_t width, double epsilon);
    Norm layerNormWithoutBias(const std::string& prefix, std::int64_t width, double epsilon);
    // prefix + "<head>.weight" [dim] for each head, without biases.
    Norm layerNormOfHeads(const std::string& prefix, int heads, std::int64_t dim, double epsilon);

    // Ignores a tensor that the checkpoint may contain but that is not needed.
    void leaveAside(const std::string& name) { m_taken.insert(name); }

    void finish() const; // throws LoadError if a tensor was missing
    // Tensors of the checkpoint that were not requested, except those known to be unnecessary.
    std::vector<std::string> unknown() const;
    std::int64_t parameters() const { return m_parameters; } // in the loaded tensors
    std::int64_t bytes() const { return m_bytes; } // size of the loaded tensors in memory
    // The different kinds of matrices among the loaded tensors, in loading order.
    const std::vector<WeightKind>& kinds() const { return m_kinds; }

private:
    // The stored tensor, checked; null if it is missing.
    const Checkpoint::Entry* find(const std::string& name, const std::vector<std::int64_t>& shape);
    at::Tensor take(const std::string& name, const std::vector<std::int64_t>& shape, DType target);
    at::Tensor takePlain(const std::string& name, const std::vector<std::int64_t>& shape);
    // Loads a norm in the type of vectors, or in f32 if it is stored in f32 and plain types are
    // kept.
    at::Tensor takeNorm(const std::string& name, std::int64_t size);
    // The plain type in which a matrix is computed.
    DType plainTypeOf(const Checkpoint::Entry& entry) const;
    at::Tensor taken(const std::string& name, const Checkpoint::Entry& entry, DType target);
    at::Tensor dequantized(const Checkpoint::Entry& entry, DType stored);
    void addScales(const Checkpoint::Entry& entry, Weight& weight) const;
    // "The tensor x (Q4_K) in model.gguf"
    Message placeOf(const std::string& name, const Checkpoint::Entry& entry) const;
    void count(const std::string& name, const Checkpoint::Entry& entry, std::int64_t bytes);
    // Counts the bytes of a tensor that may be in the file, with its scales.
    void count(const std::string& name, const Checkpoint::Entry& entry, const at::Tensor& tensor);
    // A matrix in its own type if stored types are kept, otherwise in the loader's type.
    Weight takeMatrix(const std::string& name, std::int64_t rows, std::int64_t columns);
    Weight keptMatrix(const std::string& name, const Checkpoint::Entry& entry);
    Weight weightOf(const at::Tensor& tensor, DType dtype) const;
    Weight plainWeight(const at::Tensor& tensor) const;
    WeightVector vectorOf(const at::Tensor& tensor) const;
    // The weight in the type that a matrix with this name is rounded to, if there is one.
    Weight roundedAs(const std::string& name, const Weight& weight);
    // Rounds a weight that is stored in the file directly, without an intermediate type.
    Weight roundedFrom(const std::string& name, const Checkpoint::Entry& entry, DType dtype);
    std::optional<DType> roundedTypeOf(const std::string& name) const;
    Weight noted(Weight weight);
    DType vectorType() const { return m_device.is_cpu() ? DType::F32 : m_dtype; }
    void checkFinite(const std::string& name, const Checkpoint::Entry& entry);

    const Checkpoint& m_checkpoint;
    at::Device m_device;
    DType m_dtype;
    ThreadPool& m_pool;
    ProgressFn m_progress;
    CancelToken m_cancel;
    std::set<std::string> m_taken;
    std::vector<std::string> m_missing;
    std::vector<WeightKind> m_kinds;
    std::map<std::string, DType> m_types; // of matrices that are rounded
    bool m_keepPlain = false;
    bool m_keep = false;
    std::map<std::string, Checkpoint::Entry> m_unpacked; // by the name of the tensor
    std::int64_t m_parameters = 0;
    std::int64_t m_bytes = 0;
    std::int64_t m_totalBytes = 0; // stored bytes
    std::int64_t m_doneBytes = 0; // stored bytes
};

} // namespace ep::model

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"
#include "weights.h"

#include "ep/core/cancel.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ep::model {

class ThreadPool;

// How a family stores a projection, other than [out, in].
struct LinearLayout {
    bool transposed = false; // [in, out] (GPT-2)
    // Rows in the order head, then query, key or value (GPT-NeoX); read as all queries, then all
    // keys, then all values. 0: not so.
    int interleaved_heads = 0;
};

// Takes the weights of a decoder out of a checkpoint: looks them up, checks type, shape and that
// they are finite, and brings them to the device, without a copy where the processor computes from
// the stored type. Wrong tensors throw LoadError at once; missing ones are collected, so that the
// message of finish() can name them.
class WeightLoader {
public:
    WeightLoader(const Checkpoint& checkpoint, at::Device device, DType dtype, ThreadPool& pool,
                 ProgressFn progress, CancelToken cancel);

    // From now on linear() and matrices() answer with weights in 8 bits.
    void quantizeProjections() { m_quantize = true; }

    bool has(const std::string& name) const { return m_checkpoint.find(name) != nullptr; }

    Weight matrix(const std::string& name, std::int64_t rows, std::int64_t columns);
    // Of one tensor [count, rows, columns].
    std::vector<Weight> matrices(const std::string& name, std::int64_t count, std::int64_t rows,
                                 std::int64_t columns);
    WeightVector vector(const std::string& name, std::int64_t size);
    // prefix + ".weight" [out, in], and prefix + ".bias" [out] when there is to be one.
    Linear linear(const std::string& prefix, std::int64_t in, std::int64_t out, bool bias,
                  const LinearLayout& layout = {});
    Norm rmsNorm(const std::string& prefix, std::int64_t width, double epsilon);
    // Gemma's: the file holds the weight less one.
    Norm rmsNormPlusOne(const std::string& prefix, std::int64_t width, double epsilon);
    Norm layerNorm(const std::string& prefix, std::int64_t width, double epsilon);
    // prefix + "<head>.weight" [dim] of each head, without biases.
    Norm layerNormOfHeads(const std::string& prefix, int heads, std::int64_t dim, double epsilon);

    // A tensor that may be in the checkpoint and is not needed.
    void leaveAside(const std::string& name) { m_taken.insert(name); }

    void finish() const; // throws LoadError when a tensor was missing
    // Tensors of the checkpoint that nobody asked for, without those that are known to be useless.
    std::vector<std::string> unknown() const;
    std::int64_t parameters() const { return m_parameters; } // elements of the tensors taken
    std::int64_t bytes() const { return m_bytes; } // that they take in memory

private:
    at::Tensor take(const std::string& name, const std::vector<std::int64_t>& shape, DType target);
    Weight weightOf(const at::Tensor& tensor) const;
    WeightVector vectorOf(const at::Tensor& tensor) const;
    Weight quantize(const Weight& weight);
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
    bool m_quantize = false;
    std::int64_t m_parameters = 0;
    std::int64_t m_bytes = 0;
    std::int64_t m_totalBytes = 0; // stored
    std::int64_t m_doneBytes = 0; // stored
};

} // namespace ep::model

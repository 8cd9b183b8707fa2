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

// Takes the weights of a decoder out of a checkpoint: looks them up, checks type, shape and that
// they are finite, and brings them to the device, without a copy where the processor computes from
// the stored type. Wrong tensors throw LoadError at once; missing ones are collected, so that the
// message of finish() can name them.
class WeightLoader {
public:
    WeightLoader(const Checkpoint& checkpoint, at::Device device, DType dtype, ThreadPool& pool,
                 const ProgressFn& progress, CancelToken cancel);

    bool has(const std::string& name) const { return m_checkpoint.find(name) != nullptr; }

    Weight matrix(const std::string& name, std::int64_t rows, std::int64_t columns);
    // prefix + ".weight" [out, in], and prefix + ".bias" [out] when there is to be one.
    Linear linear(const std::string& prefix, std::int64_t in, std::int64_t out, bool bias);
    Norm rmsNorm(const std::string& prefix, std::int64_t width, double epsilon);
    Norm layerNorm(const std::string& prefix, std::int64_t width, double epsilon);

    void finish() const; // throws LoadError when a tensor was missing
    std::int64_t parameters() const { return m_parameters; } // elements of the tensors taken
    std::int64_t bytes() const { return m_bytes; } // that they take in memory

private:
    at::Tensor take(const std::string& name, const std::vector<std::int64_t>& shape, DType target);
    WeightVector vector(const std::string& name, std::int64_t size);
    void checkFinite(const std::string& name, const Checkpoint::Entry& entry);

    const Checkpoint& m_checkpoint;
    at::Device m_device;
    DType m_dtype;
    ThreadPool& m_pool;
    const ProgressFn& m_progress;
    CancelToken m_cancel;
    std::set<std::string> m_taken;
    std::vector<std::string> m_missing;
    std::int64_t m_parameters = 0;
    std::int64_t m_bytes = 0;
    std::int64_t m_totalBytes = 0; // stored
    std::int64_t m_doneBytes = 0; // stored
};

} // namespace ep::model

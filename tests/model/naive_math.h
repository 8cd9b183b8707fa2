// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// A second implementation of the decoders' arithmetic for tests, in f64 and plain loops; it shares
// nothing with the engine.
namespace ep::test {

using NaiveRow = std::vector<double>;
using NaiveRows = std::vector<NaiveRow>; // by position and column

struct NaiveTensor {
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};
using NaiveWeights = std::map<std::string, NaiveTensor>; // by HuggingFace's tensor names

// weight [out, in]; transposed: [in, out]. bias may be null.
NaiveRows naiveLinear(const NaiveRows& x, const NaiveTensor& weight, const NaiveTensor* bias,
                      bool transposed = false);
NaiveRow naiveRmsNorm(const NaiveRow& x, const NaiveTensor& weight, double epsilon, double plus);
NaiveRow naiveLayerNorm(const NaiveRow& x, const NaiveTensor& weight, const NaiveTensor* bias,
                        double epsilon);
double naiveActivation(const std::string& name, double x);
NaiveRow naiveSoftmax(NaiveRow x);
double naiveCap(double x, double cap); // cap 0: unchanged

// Frequencies of one kind of rotation, and the factor of cosines and sines. parameters:
// rope_scaling of transformers 4, null for none; length: of the whole sequence.
struct NaiveRope {
    NaiveRow frequencies;
    double factor = 1.0;
};
NaiveRope naiveRope(const nlohmann::json& config, const nlohmann::json& parameters, double theta,
                    int dimensions, std::int64_t length);
// Rotates each head of a row in place: element i is paired with element i + dimensions / 2.
void naiveRotate(NaiveRow& row, int heads, const NaiveRope& rope, std::int64_t position);

struct NaiveAttention {
    int heads = 0;
    int kv_heads = 0;
    double scale = 1.0;
    double cap = 0.0;
    std::optional<int> window;
};
NaiveRows naiveAttend(const NaiveRows& q, const NaiveRows& k, const NaiveRows& v,
                      const NaiveAttention& shape);

} // namespace ep::test

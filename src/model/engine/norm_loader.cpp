// SPDX-License-Identifier: GPL-3.0-or-later
// Loads the weights of norms in the forms that families store them in.
#include "stored_tensor.h"
#include "weight_loader.h"

#include <string>
#include <vector>

namespace ep::model {

at::Tensor WeightLoader::takeNorm(const std::string& name, std::int64_t size)
{
    const Checkpoint::Entry* const entry = find(name, {size});
    if (!entry)
        return {};
    const bool wide = plainTypeOf(*entry) == DType::F32;
    return taken(name, *entry, wide ? DType::F32 : vectorType());
}

Norm WeightLoader::rmsNorm(const std::string& prefix, std::int64_t width, double epsilon)
{
    Norm norm;
    norm.weight = vectorOf(takeNorm(prefix + ".weight", width));
    norm.epsilon = static_cast<float>(epsilon);
    return norm;
}

Norm WeightLoader::plainRmsNorm(std::int64_t width, double epsilon) const
{
    Norm norm;
    norm.weight =
        vectorOf(at::ones({width}, at::TensorOptions(scalarType(vectorType())).device(m_device)));
    norm.epsilon = static_cast<float>(epsilon);
    return norm;
}

Norm WeightLoader::scaledRmsNorm(const std::string& name, std::int64_t width, double epsilon,
                                 double factor)
{
    const at::Tensor stored = takeNorm(name, width);
    Norm norm;
    norm.weight = vectorOf(stored.defined() ? stored * factor : stored);
    norm.epsilon = static_cast<float>(epsilon);
    return norm;
}

// Computed in f32 on every device, so that the sum is not rounded.
Norm WeightLoader::rmsNormPlusOne(const std::string& prefix, std::int64_t width, double epsilon)
{
    const std::string name = prefix + ".weight";
    const at::Tensor stored = take(name, {width}, DType::F32);
    const Checkpoint::Entry* const known = m_checkpoint.find(name);
    const bool added = known && known->form.plus_one;
    Norm norm;
    norm.weight = vectorOf(stored.defined() && !added ? stored + 1.0 : stored);
    norm.epsilon = static_cast<float>(epsilon);
    return norm;
}

Norm WeightLoader::layerNorm(const std::string& prefix, std::int64_t width, double epsilon)
{
    Norm norm = layerNormWithoutBias(prefix, width, epsilon);
    norm.bias = vectorOf(takeNorm(prefix + ".bias", width));
    return norm;
}

Norm WeightLoader::layerNormWithoutBias(const std::string& prefix, std::int64_t width,
                                        double epsilon)
{
    Norm norm = rmsNorm(prefix, width, epsilon);
    norm.kind = NormKind::Layer;
    return norm;
}

Norm WeightLoader::layerNormOfHeads(const std::string& prefix, int heads, std::int64_t dim,
                                    double epsilon)
{
    std::vector<at::Tensor> parts;
    for (int head = 0; head < heads; ++head) {
        const std::string name = prefix + std::to_string(head) + ".weight";
        if (const at::Tensor part = take(name, {dim}, vectorType()); part.defined())
            parts.push_back(part);
    }
    Norm norm;
    norm.kind = NormKind::Layer;
    norm.per_head = true;
    norm.epsilon = static_cast<float>(epsilon);
    if (!parts.empty())
        norm.weight = vectorOf(at::cat(parts, 0));
    return norm;
}

} // namespace ep::model

// SPDX-License-Identifier: GPL-3.0-or-later
#include "mlx/mlx_shapes.h"

#include "mlx/mlx_config.h"

#include <algorithm>
#include <vector>

namespace ep::model {
namespace {

bool fits(const MlxPacked& packed, const MlxLayer& layer)
{
    return layer.bits > 0 && (layer.mode == MlxMode::Affine) == packed.affine
        && packed.words * kMlxWordBits == std::int64_t{layer.bits} * layer.group * packed.groups;
}

} // namespace

std::optional<MlxLayer> settledLayer(const MlxPacked& packed, const MlxLayer* stated,
                                     const MlxLayer& usual)
{
    // A group has at least one bit, and an empty tensor may claim any number of groups.
    if (packed.words <= 0 || packed.groups <= 0 || packed.groups / kMlxWordBits > packed.words)
        return std::nullopt;
    std::vector<MlxLayer> possible;
    for (const MlxLayer& layer : mlxLayers()) {
        if (fits(packed, layer))
            possible.push_back(layer);
    }
    const auto isWide = [&](const MlxLayer& layer) {
        return packed.groups * layer.group == packed.columns;
    };
    const auto wide = std::find_if(possible.begin(), possible.end(), isWide);
    if (wide != possible.end())
        return *wide;
    if (stated && fits(packed, *stated))
        return *stated;
    if (fits(packed, usual))
        return usual;
    if (possible.empty())
        return std::nullopt;
    return possible.front();
}

} // namespace ep::model

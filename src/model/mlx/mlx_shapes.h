// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/config.h"

#include <cstdint>
#include <optional>

namespace ep::model {

inline constexpr std::int64_t kMlxWordBits = 32;

// What the shapes of a quantized tensor and its scales show.
struct MlxPacked {
    std::int64_t words = 0; // number of 32-bit words per row
    std::int64_t groups = 0; // number of scales per row
    bool affine = true; // scales in the type of the model; otherwise they are single bytes
    std::int64_t columns = 0; // columns of the matrix in the model; 0: unknown
};

// The bits, group and mode that a tensor was quantized with. They follow from its shapes, because
// config.json may leave out or misstate them. If several settings fit, config.json decides:
// `stated` for the tensor (null: not stated), else `usual` for the folder. Absent if no setting
// fits.
std::optional<MlxLayer> settledLayer(const MlxPacked& packed, const MlxLayer* stated,
                                     const MlxLayer& usual);

} // namespace ep::model

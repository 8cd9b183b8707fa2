// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ep {

// What the quality of a run depends on besides its model: the number format and, if different,
// that of the cache: "f32, KV cache q8_0". Used as the dtype of a QualityRecord.
inline std::string qualityFormat(const std::string& dtype, const std::string& cache)
{
    const bool plain = cache.empty() || cache == "growing" || cache == "static";
    return plain ? dtype : dtype + ", KV cache " + cache;
}

} // namespace ep

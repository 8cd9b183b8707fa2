// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ep {

// What the quality of a run depends on beside its model: the number format, with that of the cache
// where that is another one: "f32, KV cache q8_0". It is the dtype of a QualityRecord.
inline std::string qualityFormat(const std::string& dtype, const std::string& cache)
{
    const bool plain = cache.empty() || cache == "growing" || cache == "static";
    return plain ? dtype : dtype + ", KV cache " + cache;
}

} // namespace ep

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/analytic.h"
#include "ep/model/config.h"
#include "ep/model/describe.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ep::model {

// A model in the format in which it is computed, for everything that counts bytes.
struct ComputedModel {
    ModelConfig config; // with matrix_sizes
    NumberSizes sizes;
    std::int64_t weight_bytes = 0; // in memory, on the processor
};

// format: a choice of users, or the name of the format that a run had. One that this model cannot
// have counts as "auto".
ComputedModel computedIn(const ModelDescription& model, std::string_view format,
                         bool accelerator = false);

// A choice of format for a model, with its size.
struct SizedFormat {
    std::string word; // "auto", or the name of a format
    std::string name; // name of the format; for "auto", of the stored format
    std::int64_t weight_bytes = 0;
    // Whether weights would be rounded to more bits than they are stored in: the model then costs
    // as much as such a file, but is no more accurate than before.
    bool larger_than_stored = false;

    bool operator==(const SizedFormat&) const = default;
};

// All formats from the smallest to the largest; the stored one only as "auto".
std::vector<SizedFormat> sizedFormats(const ModelDescription& model);

} // namespace ep::model

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <string_view>

namespace ep::model {

// Whether LoadRequest::kernels is valid: "auto", "measure", or names of kernels. An error lists
// the valid words.
Status checkKernelNames(std::string_view text);

} // namespace ep::model

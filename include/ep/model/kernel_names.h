// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <string_view>

namespace ep::model {

// Whether LoadRequest::kernels can be understood: "auto", "measure", or names of kernels. An error
// lists what can be given.
Status checkKernelNames(std::string_view text);

} // namespace ep::model

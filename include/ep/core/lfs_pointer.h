// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace ep {

// Git LFS leaves a short text in place of a file that it has not fetched. Returns the error to
// show if a file begins with such a text.
std::optional<Error> lfsPointer(const std::filesystem::path& file, std::string_view beginning);

} // namespace ep

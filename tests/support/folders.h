// SPDX-License-Identifier: GPL-3.0-or-later
// Where the tests find their files. The three folders are known to folders.cpp alone, so that other
// sources compile in batches and checkouts in different places share their objects.
#pragma once

#include <string>
#include <string_view>

namespace ep::test {

// The path of a file below tests/data, below the checkout, and below the folder of reference models
// (EP_REFERENCE_DIR); without a file, the folder itself.
[[nodiscard]] std::string dataPath(std::string_view file = {});
[[nodiscard]] std::string sourcePath(std::string_view file = {});
[[nodiscard]] std::string referencePath(std::string_view file = {});

} // namespace ep::test

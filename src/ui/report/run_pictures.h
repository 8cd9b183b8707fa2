// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/energy/comparison.h"

#include <filesystem>
#include <vector>

namespace ep::store {
class Store;
}

namespace ep::ui {

// Writes the charts of the Analysis page for a stored run, each as SVG and as PNG (twice its size),
// to a folder, which is created; returns the files. Needs a QApplication, and its thread.
Result<std::vector<std::filesystem::path>> saveRunPictures(const store::Store& store,
                                                           const energy::ComparedRun& run,
                                                           const std::filesystem::path& folder);

} // namespace ep::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/model/library.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ep::app {

// The folder of the bundled models and schemas: EP_RESOURCES, relative to the executable if it is
// installed or bundled, or the source tree it was built from. Empty if none of them exists.
std::filesystem::path resourceFolder();

// The bundled demo run; empty if not installed.
std::filesystem::path demoRunFile();

// Folders with models: the bundled ones and HuggingFace's cache.
std::vector<std::filesystem::path> modelFolders();

// The folder of a model, given as a path or as the name of a model in modelFolders().
Result<std::filesystem::path> findModel(const std::string& nameOrPath);

} // namespace ep::app

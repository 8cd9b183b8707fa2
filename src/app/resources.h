// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/model/library.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ep::app {

// What comes with the program (models, schema): EP_RESOURCES, beside the executable where it is
// installed or bundled, else the source tree it was built from. Empty when none of them exists.
std::filesystem::path resourceFolder();

// The recorded run that comes with the program; empty where it was not installed.
std::filesystem::path demoRunFile();

// Folders that hold models: the bundled ones and HuggingFace's cache.
std::vector<std::filesystem::path> modelFolders();

// The folder of a model: a path, or the name of one that modelFolders() holds.
Result<std::filesystem::path> findModel(const std::string& nameOrPath);

} // namespace ep::app

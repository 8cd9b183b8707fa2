// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <QString>

#include <filesystem>
#include <vector>

namespace ep::ui {

// A model folder as the picker shows it.
struct ModelChoice {
    std::filesystem::path folder;
    QString name;
    QString facts; // one line; empty when there is a problem
    QString problem; // why it cannot be loaded; empty when it can
    ModelFacts details; // as far as the files tell without reading weights
    bool bundled = false;

    QString displayName() const; // says so when it is a bundled one
};

// What lies in the folders, bundled ones first, then by name. Reads a few small files of each
// model; any thread.
std::vector<ModelChoice> findModels(const std::vector<std::filesystem::path>& bundled,
                                    const std::vector<std::filesystem::path>& folders);

// One folder, whatever is in it.
ModelChoice inspectModel(const std::filesystem::path& folder);

// Places where people keep models: HuggingFace's cache, and folders named models.
std::vector<std::filesystem::path> usualModelFolders();

} // namespace ep::ui

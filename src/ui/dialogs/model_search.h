// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/server_search.h"
#include "ep/core/run.h"
#include "ep/model/computed_model.h"
#include "ep/session/events.h"

#include <QString>

#include <filesystem>
#include <optional>
#include <vector>

namespace ep::ui {

// A model as the picker shows it.
struct ModelChoice {
    std::filesystem::path folder; // or a GGUF file
    QString name;
    QString facts; // one line; empty if there is a problem
    QString problem; // why the model cannot be loaded; empty if it can
    ModelFacts details; // properties known without reading weights
    std::vector<model::SizedFormat> formats{}; // empty: unknown
    bool bundled = false;
    std::optional<session::ServerTarget> server{}; // a server's model, which has no folder

    QString displayName() const; // marks bundled models
};

// All models in the folders, bundled ones first, then by name. Reads a few small files per model;
// any thread.
std::vector<ModelChoice> findModels(const std::vector<std::filesystem::path>& bundled,
                                    const std::vector<std::filesystem::path>& folders);

// The model in the folder or GGUF file, or the models in folders below. Returns at least one,
// which may have a problem. Any thread.
std::vector<ModelChoice> inspectModels(const std::filesystem::path& path);

// Usual locations of models: HuggingFace's cache, and folders called models.
std::vector<std::filesystem::path> usualModelFolders();

} // namespace ep::ui

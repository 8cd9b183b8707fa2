// SPDX-License-Identifier: GPL-3.0-or-later
#include "model_search.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/model/config.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>

#include <algorithm>
#include <set>

namespace ep::ui {

namespace {

namespace fs = std::filesystem;
using namespace Qt::Literals::StringLiterals;

QString translated(const char* text)
{
    return QCoreApplication::translate("ep::ui", text);
}

bool looksLikeModel(const fs::path& folder)
{
    std::error_code ignored;
    return fs::exists(folder / "config.json", ignored);
}

std::int64_t weightBytes(const fs::path& folder)
{
    std::int64_t bytes = 0;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().extension() == ".safetensors")
            bytes += static_cast<std::int64_t>(entry.file_size(ignored));
    }
    return bytes;
}

std::vector<fs::path> modelsIn(const fs::path& folder)
{
    std::vector<fs::path> found;
    std::error_code ignored;
    if (looksLikeModel(folder)) {
        found.push_back(folder);
        return found;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.is_directory(ignored) && looksLikeModel(entry.path()))
            found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

ModelChoice inspectModel(const fs::path& folder)
{
    ModelChoice choice;
    choice.folder = folder;
    choice.name = pathText(folder.filename());
    const auto config = model::readModelConfig(folder);
    if (!config) {
        choice.problem = toQString(config.error().message);
        return choice;
    }
    const std::int64_t bytes = weightBytes(folder);
    if (bytes == 0) {
        choice.problem = translated("There are no *.safetensors files in this folder: choose the "
                                    "folder that holds the model's weights.");
        return choice;
    }
    ModelFacts facts;
    facts.architecture = config->architecture;
    facts.layers = config->num_hidden_layers;
    facts.hidden_size = config->hidden_size;
    facts.weight_bytes = bytes;
    choice.facts = factsText(facts);
    return choice;
}

std::vector<ModelChoice> findModels(const std::vector<fs::path>& bundled,
                                    const std::vector<fs::path>& folders)
{
    std::vector<ModelChoice> choices;
    std::set<fs::path> seen;
    const auto addFrom = [&](const fs::path& place, bool isBundled) {
        for (const fs::path& folder : modelsIn(place)) {
            std::error_code ignored;
            if (!seen.insert(fs::weakly_canonical(folder, ignored)).second)
                continue;
            choices.push_back(inspectModel(folder));
            choices.back().bundled = isBundled;
        }
    };
    for (const fs::path& place : bundled)
        addFrom(place, true);
    for (const fs::path& place : folders)
        addFrom(place, false);
    return choices;
}

std::vector<fs::path> usualModelFolders()
{
    std::vector<fs::path> folders{toPath(QDir::homePath() + u"/models"_s)};
    for (const QString& documents :
         QStandardPaths::standardLocations(QStandardPaths::DocumentsLocation))
        folders.push_back(toPath(documents + u"/models"_s));
    return folders;
}

} // namespace ep::ui

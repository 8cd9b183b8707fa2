// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/model_search.h"

#include "text.h"

#include "ep/model/describe.h"
#include "ep/model/library.h"
#include "ep/ui/terms.h"

#include <QDir>
#include <QStandardPaths>

#include <set>

namespace ep::ui {

namespace {

namespace fs = std::filesystem;
using namespace Qt::Literals::StringLiterals;

ModelChoice choiceOf(const model::ModelListing& listing)
{
    ModelChoice choice;
    choice.folder = listing.path;
    choice.name = toQString(listing.name);
    choice.problem = term(listing.problem);
    ModelFacts& facts = choice.details;
    facts.path = listing.path.string();
    facts.architecture = listing.architecture;
    facts.parameters = listing.parameters;
    facts.weight_bytes = listing.weight_bytes;
    if (!listing.supported)
        return choice;
    const auto described = model::describeModel(listing.path);
    if (!described) {
        choice.problem = term(described.error().message);
        return choice;
    }
    facts = described->facts;
    choice.formats = model::sizedFormats(*described);
    choice.facts = factsText(facts);
    return choice;
}

} // namespace

QString ModelChoice::displayName() const
{
    return bundled ? translated("%1 (bundled)").arg(name) : name;
}

std::vector<ModelChoice> inspectModels(const fs::path& path)
{
    std::vector<ModelChoice> choices = findModels({}, {path});
    if (choices.empty()) {
        ModelChoice& choice = choices.emplace_back();
        choice.folder = path;
        choice.name = pathText(path.filename());
        choice.problem = translated(
            "There is no model here: choose the folder of a HuggingFace or MLX model, which has a "
            "config.json, or a GGUF file.");
    }
    return choices;
}

std::vector<ModelChoice> findModels(const std::vector<fs::path>& bundled,
                                    const std::vector<fs::path>& folders)
{
    std::vector<ModelChoice> choices;
    std::set<fs::path> seen;
    const auto addFrom = [&](const std::vector<fs::path>& places, bool isBundled) {
        for (const model::ModelListing& listing : model::discoverModels(places)) {
            std::error_code ignored;
            if (!seen.insert(fs::weakly_canonical(listing.path, ignored)).second)
                continue;
            choices.push_back(choiceOf(listing));
            choices.back().bundled = isBundled;
        }
    };
    addFrom(bundled, true);
    addFrom(folders, false);
    return choices;
}

std::vector<fs::path> usualModelFolders()
{
    std::vector<fs::path> folders = model::downloadFolders();
    folders.push_back(toPath(QDir::homePath() + u"/models"_s));
    for (const QString& documents :
         QStandardPaths::standardLocations(QStandardPaths::DocumentsLocation))
        folders.push_back(toPath(documents + u"/models"_s));
    return folders;
}

} // namespace ep::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "resources.h"

#include "ep/core/executable_path.h"

#include <cstdlib>

namespace ep::app {

namespace fs = std::filesystem;

fs::path resourceFolder()
{
    if (const char* chosen = std::getenv("EP_RESOURCES"); chosen != nullptr && *chosen != '\0')
        return chosen;
    const fs::path program = executablePath().parent_path();
    for (const fs::path& folder : {program / ".." / "share" / "energy-profiler",
                                   program / ".." / "Resources", fs::path(EP_SOURCE_RESOURCES)}) {
        std::error_code ignored;
        if (fs::is_directory(folder / "models", ignored))
            return folder.lexically_normal();
    }
    return {};
}

fs::path demoRunFile()
{
    const fs::path file = resourceFolder() / "demo" / "demo.eprun";
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) ? file : fs::path();
}

std::vector<fs::path> modelFolders()
{
    std::vector<fs::path> folders = model::downloadFolders();
    folders.insert(folders.begin(), resourceFolder() / "models");
    return folders;
}

Result<fs::path> findModel(const std::string& nameOrPath)
{
    std::error_code ignored;
    if (fs::exists(nameOrPath, ignored)) {
        // Removes a trailing separator and dots, since the name of the folder is the name of the
        // model.
        fs::path folder = fs::absolute(nameOrPath, ignored).lexically_normal();
        return folder.has_filename() ? folder : folder.parent_path();
    }
    const std::vector<fs::path> folders = modelFolders();
    std::string names;
    for (const model::ModelListing& listing : model::discoverModels(folders)) {
        if (listing.name == nameOrPath)
            return listing.path;
        names += (names.empty() ? "" : ", ") + listing.name;
    }
    return Error{ErrorCode::NotFound,
                 names.empty() ? Message("There is no folder and no known model '%1': give a "
                                         "HuggingFace model folder or a GGUF file.",
                                         nameOrPath)
                               : Message("There is no folder and no known model '%1': give a "
                                         "HuggingFace model folder or a GGUF file, or one of %2.",
                                         nameOrPath, names)};
}

} // namespace ep::app

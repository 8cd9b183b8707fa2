// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/model_files.h"

#include "checkpoint.h"
#include "config_parts.h"
#include "gguf/gguf_file.h"
#include "read_guarded.h"

#include "ep/core/mapped_file.h"
#include "ep/json/gguf.h"

#include <utility>

namespace ep::model {
namespace {

using Opened = Result<std::shared_ptr<const ModelFiles>>;

Opened openGguf(const std::filesystem::path& file)
{
    const auto gguf = GgufFile::open(file, json::kShortGgufList);
    if (!gguf)
        return gguf.error();
    auto config = readGgufConfig(*gguf);
    if (!config)
        return config.error();
    if (const Status supported = checkSupported(*config); !supported)
        return supported.error();
    auto weights = Checkpoint::ofGguf(*gguf, *config);
    if (!weights)
        return weights.error();
    return std::make_shared<const ModelFiles>(
        ModelFiles{.path = file,
                   .config = *std::move(config),
                   .stated = gguf->metadata.dump(),
                   .weights = std::make_shared<const Checkpoint>(*std::move(weights)),
                   .gguf = gguf->first});
}

Opened openFolder(const std::filesystem::path& folder)
{
    auto stated = readFolderConfig(folder);
    if (!stated)
        return stated.error();
    if (const Status supported = checkSupported(stated->config); !supported)
        return supported.error();
    auto weights = Checkpoint::open(folder, stated->config);
    if (!weights)
        return weights.error();
    return std::make_shared<const ModelFiles>(
        ModelFiles{.path = folder,
                   .config = std::move(stated->config),
                   .stated = std::move(stated->text),
                   .weights = std::make_shared<const Checkpoint>(*std::move(weights)),
                   .gguf = nullptr});
}

} // namespace

Opened openModel(const std::filesystem::path& path)
{
    return readGuarded(path, [&] { return isFile(path) ? openGguf(path) : openFolder(path); });
}

} // namespace ep::model

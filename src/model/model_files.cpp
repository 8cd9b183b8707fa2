// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/model_files.h"

#include "checkpoint.h"
#include "config_parts.h"
#include "gguf/gguf_file.h"
#include "model_facts.h"
#include "read_guarded.h"
#include "tensor_list.h"

#include "ep/core/mapped_file.h"
#include "ep/json/document.h"
#include "ep/json/gguf.h"
#include "ep/model/format.h"
#include "ep/model/tensor_list.h"

#include <algorithm>
#include <utility>

namespace ep::model {
namespace {

using Opened = Result<std::shared_ptr<const ModelFiles>>;

// The format that the file states, unless most of its weights have other types.
std::string storedFormat(const Checkpoint& weights, const ModelConfig& config,
                         const json::Json& metadata)
{
    const DType most = storedDType(weights);
    const auto stated = metadata.find("general.file_type");
    const int number =
        stated != metadata.end() && stated->is_number_integer() ? stated->get<int>() : -1;
    const auto* const row = std::ranges::find(kFormats, number, &FormatRow::file_type);
    if (number < 0 || row == kFormats.end())
        return std::string(name(most));
    const TensorList list = listTensors(weights, config);
    const TensorTypes types = typesIn(list, {.usual = std::string(row->name), .rules = {}});
    std::int64_t same = 0;
    std::int64_t all = 0;
    for (std::size_t i = 0; i < types.size(); ++i) {
        const std::int64_t numbers = list.tensors[i].rows * list.tensors[i].columns;
        same += types[i] ? 0 : numbers;
        all += numbers;
    }
    return std::string(row->dtype == most || 2 * same > all ? row->name : name(most));
}

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
    const std::string format = storedFormat(*weights, *config, gguf->metadata);
    return std::make_shared<const ModelFiles>(
        ModelFiles{.path = file,
                   .config = *std::move(config),
                   .format = format,
                   .stated = json::textOf(gguf->metadata),
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
    const auto format = std::string(name(storedDType(*weights)));
    return std::make_shared<const ModelFiles>(
        ModelFiles{.path = folder,
                   .config = std::move(stated->config),
                   .format = format,
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

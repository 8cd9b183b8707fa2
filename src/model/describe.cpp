// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/describe.h"

#include "checkpoint.h"
#include "model_facts.h"
#include "read_guarded.h"
#include "tensor_list.h"

#include "ep/model/analytic.h"

namespace ep::model {

ModelDescription describe(const ModelFiles& files)
{
    ModelDescription description;
    description.config = files.config;
    description.stored = storedDType(*files.weights);
    description.format = files.format;
    description.tensors = listTensors(*files.weights, files.config);
    description.types = files.weights->types();
    ModelFacts& facts = description.facts;
    facts = factsOf(files.config, files.path);
    for (const auto& [tensor, entry] : files.weights->entries())
        facts.weight_bytes += entry.bytes();
    facts.stored_dtype = files.format;
    facts.fingerprint = fingerprint(files);
    facts.kv_bytes_per_token =
        kvBytesPerToken(files.config, numberSizes(description.stored, description.stored, false));
    return description;
}

Result<ModelDescription> describeModel(const std::filesystem::path& folder)
{
    const auto files = openModel(folder);
    if (!files)
        return files.error();
    return readGuarded(folder, [&]() -> Result<ModelDescription> { return describe(**files); });
}

} // namespace ep::model

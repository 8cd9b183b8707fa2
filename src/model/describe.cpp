// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/describe.h"

#include "checkpoint.h"
#include "model_facts.h"

#include "ep/model/analytic.h"

#include <string>
#include <utility>

namespace ep::model {

Result<ModelDescription> describeModel(const std::filesystem::path& folder)
{
    auto config = readModelConfig(folder);
    if (!config)
        return config.error();
    if (const Status supported = checkSupported(*config); !supported)
        return supported.error();
    const auto checkpoint = Checkpoint::open(folder, *config);
    if (!checkpoint)
        return checkpoint.error();

    ModelDescription description;
    description.stored = storedDType(*checkpoint);
    description.types = checkpoint->types();
    ModelFacts& facts = description.facts;
    facts = factsOf(*config, folder);
    for (const auto& [tensor, entry] : checkpoint->entries())
        facts.weight_bytes += entry.bytes();
    facts.stored_dtype = std::string(name(description.stored));
    facts.fingerprint = fingerprint(*checkpoint);
    facts.kv_bytes_per_token =
        kvBytesPerToken(*config, numberSizes(description.stored, description.stored, false));
    description.config = std::move(*config);
    return description;
}

} // namespace ep::model

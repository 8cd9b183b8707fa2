// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"
#include "gguf/gguf_file.h"

#include "ep/core/result.h"
#include "ep/model/config.h"

#include <functional>
#include <map>
#include <string>

namespace ep::model {

// The tensors of a GGUF file under HuggingFace's names, as the family's loader asks for them. What
// the file keeps in one tensor and HuggingFace in several (experts, norms of heads) is split, still
// without a copy; what differs in the order or the meaning of values is noted in the entry's form.
// Tensors that are no weights are left out, unknown ones keep their names.
std::map<std::string, Checkpoint::Entry> ggufEntries(const GgufFile& file,
                                                     const ModelConfig& config);

// The file's name for what HuggingFace calls so, also where the file lacks it; the name itself if
// there is none.
std::function<std::string(const std::string& name)> ggufNaming(const ModelConfig& config);

} // namespace ep::model

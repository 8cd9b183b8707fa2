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

// The tensors of a GGUF file under HuggingFace's names, as the family's loader requests them.
// Tensors that HuggingFace stores separately (experts, norms of heads) are split without a copy;
// differences in the order or meaning of values are noted in the entry's form. Tensors that are
// not weights are left out; unknown ones keep their names.
Result<std::map<std::string, Checkpoint::Entry>> ggufEntries(const GgufFile& file,
                                                             const ModelConfig& config);

// Maps HuggingFace's name to the file's, even if the file lacks the tensor; the same name if there
// is none.
std::function<std::string(const std::string& name)> ggufNaming(const ModelConfig& config);

} // namespace ep::model

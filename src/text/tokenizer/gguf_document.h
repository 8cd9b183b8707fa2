// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/value.h"

#include <nlohmann/json.hpp>

namespace ep::text {

// Builds the tokenizer.json of the same model from the metadata of a GGUF file: byte-level BPE
// ("gpt2") with the pre-tokenizer that the file names, and SentencePiece's BPE ("llama") with
// bytes for unknown characters. Throws json::ReadError, Unsupported for other models and names.
nlohmann::json tokenizerOfGguf(const json::Value& metadata);

} // namespace ep::text

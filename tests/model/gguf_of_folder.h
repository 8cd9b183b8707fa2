// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/gguf_writer.h"

#include "ep/model/dtype.h"

#include <filesystem>
#include <string>

namespace ep::test {

// Converts the HuggingFace model of a folder (one safetensors file, f32) to GGUF with the layout of
// llama.cpp's conversion, written from that format's documentation and not from our reader. Leaves
// out the tokenizer if the folder has none. matrices: F32 or a type that --dtype offers, for
// matrices whose rows are whole blocks of it. Throws if it does not know the architecture.
GgufWriter ggufOf(const std::filesystem::path& folder, model::DType matrices = model::DType::F32);

bool ggufKnows(const std::string& architecture); // architecture: from config.json

} // namespace ep::test

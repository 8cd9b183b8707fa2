// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/gguf_writer.h"

#include <filesystem>

namespace ep::test {

// Writes a tokenizer.json as GGUF metadata: the vocabulary, its types and scores or merges, the
// name of the pre-tokenizer, and the token at the beginning of a text.
void writeTokenizer(GgufWriter& out, const std::filesystem::path& file);

} // namespace ep::test

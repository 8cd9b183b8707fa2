// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metaspace.h"
#include "pre_tokenizer.h"

#include <memory>

// Pre-tokenizers that replace characters of the text.
namespace ep::text {

// usePattern: splits as GPT-2 does
std::unique_ptr<PreTokenizer> makeByteLevel(bool addPrefixSpace, bool usePattern);
std::unique_ptr<PreTokenizer> makeMetaspaceSplit(Metaspace settings);

} // namespace ep::text

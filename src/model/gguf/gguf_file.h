// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "safetensors.h"

#include "ep/core/mapped_file.h"
#include "ep/core/result.h"
#include "ep/json/document.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace ep::model {

// A model in GGUF: one file, or the parts of a split file ("..-00001-of-00003.gguf"). Names, sizes
// and locations of all tensors are checked against the files.
struct GgufFile {
    struct Tensor {
        // dtype: ggml's name, "F32", "Q4_K"; shape: outermost first, as elsewhere
        StoredTensor stored;
        std::shared_ptr<const MappedFile> mapping;
        std::string file; // name of its file
    };

    // longestList: see readGgufHeader(). A split file is opened by its first part.
    static Result<GgufFile> open(const std::filesystem::path& file, std::size_t longestList);

    bool has(const std::string& tensor) const { return tensors.contains(tensor); }

    std::filesystem::path path;
    std::shared_ptr<const MappedFile> first; // the first part
    json::Json metadata; // metadata of the first part
    std::map<std::string, Tensor> tensors; // by ggml's names, "blk.0.attn_q.weight"
};

} // namespace ep::model

// SPDX-License-Identifier: GPL-3.0-or-later
// Three files of a model folder that no other target reads, separated by line breaks: the index of
// its shards, tokenizer_config.json, and a manifest of Ollama.
#include "checkpoint.h"
#include "ollama.h"
#include "scratch_folder.h"

#include "ep/core/utf8.h"
#include "ep/text/chat_template.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

namespace {

namespace fs = std::filesystem;

void requireSentence(const ep::Error& error)
{
    if (error.message.empty() || !ep::isValidUtf8(error.message.english()))
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const ep::fuzz::ScratchFolder folder;
    static const bool made = fs::create_directories(folder.path() / "blobs")
        && fs::create_directories(folder.path() / "manifests/r/library/m");
    if (!made)
        std::abort();
    const auto input = ep::fuzz::asText(data, size);
    const auto next = [&](auto from) { return std::find(from, input.end(), '\n'); };
    const auto after = [&](auto end) { return end == input.end() ? end : end + 1; };
    const auto indexEnd = next(input.begin());
    const auto config = after(indexEnd);
    const auto configEnd = next(config);
    folder.write("model.safetensors.index.json", {input.begin(), indexEnd});
    folder.write("tokenizer_config.json", {config, configEnd});
    folder.write("manifests/r/library/m/latest", {after(configEnd), input.end()});

    if (const auto checkpoint = ep::model::Checkpoint::open(folder.path()); !checkpoint)
        requireSentence(checkpoint.error());
    if (const auto chat = ep::text::ChatTemplate::load(folder.path()); !chat)
        requireSentence(chat.error());
    for (const auto& model : ep::model::ollamaModels(folder.path())) {
        // Must never be a file outside the folder.
        if (model.file.parent_path() != folder.path() / "blobs")
            std::abort();
    }
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The input is a GGUF file. If it is accepted, its tensors must lie in the file with every byte
// readable, and its tokenizer must terminate on any text.
#include "checkpoint.h"
#include "scratch_folder.h"

#include "ep/core/utf8.h"
#include "ep/model/model_files.h"
#include "ep/text/chat_template.h"
#include "ep/text/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

void requireSentence(const ep::Error& error)
{
    if (error.message.empty() || !ep::isValidUtf8(error.message.english()))
        std::abort();
}

void readTensors(const std::filesystem::path& file)
{
    const auto files = ep::model::openModel(file);
    if (!files)
        return requireSentence(files.error());
    for (const auto& [name, entry] : (*files)->weights->entries()) {
        if (entry.tensor.elements() < 0)
            std::abort();
        volatile unsigned sum = 0;
        for (const std::byte byte : entry.tensor.bytes)
            sum = sum + std::to_integer<unsigned>(byte);
    }
}

void readTexts(const std::filesystem::path& file)
{
    const auto chat = ep::text::ChatTemplate::load(file);
    if (!chat)
        requireSentence(chat.error());
    const auto tokenizer = ep::text::Tokenizer::load(file);
    if (!tokenizer)
        return requireSentence(tokenizer.error());
    const auto ids = (*tokenizer)->tryEncode("Hi there, 42\xc3\xa9 \xff x");
    if (ids)
        (*tokenizer)->decode(*ids);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const ep::fuzz::ScratchFolder folder;
    folder.write("m.gguf", ep::fuzz::asText(data, size));
    readTensors(folder.path() / "m.gguf");
    readTexts(folder.path() / "m.gguf");
    return 0;
}

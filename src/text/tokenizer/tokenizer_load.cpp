// SPDX-License-Identifier: GPL-3.0-or-later
#include "gguf_document.h"
#include "tokenizer_impl.h"

#include "ep/core/mapped_file.h"
#include "ep/json/document.h"
#include "ep/json/gguf.h"
#include "ep/json/value.h"
#include "ep/text/tokenizer.h"

#include <cstdint>
#include <exception>
#include <system_error>
#include <utility>

namespace ep::text {

namespace {

constexpr std::string_view fileName = "tokenizer.json";
constexpr const char* configName = "tokenizer_config.json";
constexpr std::string_view knownVersion = "1.0";
constexpr std::uint64_t maxBytes = 256'000'000;
constexpr std::uint64_t maxConfigBytes = 64'000'000;

void requireVersion(const json::Value& document)
{
    const auto version = document.find("version");
    if (version && version->asString() != knownVersion)
        version->unsupported(
            Message("is %1; only 1.0 is known", json::inQuotes(version->asString())));
}

} // namespace

Result<std::shared_ptr<const Tokenizer>> Tokenizer::fromJson(std::string_view json)
{
    return Impl::make(json, {});
}

Result<std::shared_ptr<const Tokenizer>> Tokenizer::Impl::make(std::string_view text,
                                                               const nlohmann::json& config)
{
    const auto parsed = json::parse(text);
    if (!parsed) {
        return Error{parsed.error().code,
                     {"The tokenizer cannot be used: it is %1.", parsed.error().message}};
    }
    return build([&]() -> const nlohmann::json& { return *parsed; }, config);
}

Result<std::shared_ptr<const Tokenizer>> Tokenizer::ofGguf(const MappedFile& file)
{
    const auto metadata = json::readGgufMetadata(file, json::kAnyGgufList);
    if (!metadata)
        return metadata.error();
    nlohmann::json document;
    auto tokenizer = Impl::build(
        [&]() -> const nlohmann::json& {
            document = tokenizerOfGguf(json::Value(*metadata));
            return document;
        },
        {});
    if (!tokenizer) {
        return Error{tokenizer.error().code,
                     {"\"%1\": %2", file.path().string(), tokenizer.error().message}};
    }
    return tokenizer;
}

// read(): returns the document; may throw json::ReadError.
template <typename Read>
Result<std::shared_ptr<const Tokenizer>> Tokenizer::Impl::build(Read&& read,
                                                                const nlohmann::json& config)
{
    try {
        const json::Value document(read());
        document.requireObject();
        requireVersion(document);

        auto impl = std::make_unique<Impl>();
        impl->model = readTokenModel(document.at("model"));
        if (const auto normalizer = document.find("normalizer"))
            impl->normalizer = readNormalizer(*normalizer);
        if (const auto preTokenizer = document.find("pre_tokenizer"))
            impl->preTokenizer = readPreTokenizer(*preTokenizer);
        if (const auto postProcessor = document.find("post_processor"))
            impl->postProcessor = PostProcessor(*postProcessor);
        if (const auto decoder = document.find("decoder"))
            impl->decoder = TextDecoder(*decoder);
        if (const auto added = document.find("added_tokens"))
            impl->added.read(*added, *impl->model, impl->normalizer.get());
        impl->applyConfig(config);
        return std::shared_ptr<const Tokenizer>(new Tokenizer(std::move(impl)));
    } catch (const json::ReadError& problem) {
        return Error{problem.code(), {"The tokenizer cannot be used: %1.", problem.message()}};
    } catch (const std::exception& problem) {
        return Error{ErrorCode::Internal, {"The tokenizer could not be read: %1.", problem.what()}};
    }
}

Result<std::shared_ptr<const Tokenizer>> Tokenizer::load(const std::filesystem::path& folder)
{
    if (isFile(folder)) {
        const auto file = MappedFile::open(folder);
        return file ? ofGguf(**file) : file.error();
    }
    const std::filesystem::path path = folder / fileName;
    std::error_code failure;
    if (!std::filesystem::exists(path, failure)) {
        for (const char* const old : {"vocab.json", "merges.txt", "vocab.txt", "tokenizer.model"}) {
            if (std::filesystem::exists(folder / old, failure)) {
                return Error{ErrorCode::Unsupported,
                             {"There is no %1 in \"%2\", only the older %3, which is not "
                              "supported: save the tokenizer again with HuggingFace's "
                              "AutoTokenizer, or use a version of the model that has the file.",
                              fileName, folder.string(), old}};
            }
        }
        return Error{ErrorCode::NotFound,
                     {"There is no %1 in \"%2\"; choose a model folder that has one.", fileName,
                      folder.string()}};
    }
    const auto content = json::readTextFile(path, maxBytes);
    if (!content)
        return content.error();

    // Without this file, tokenizer.json is used alone.
    const auto config = json::readFile(folder / configName, maxConfigBytes);
    if (!config && config.error().code != ErrorCode::NotFound)
        return config.error();
    static const nlohmann::json kNone;
    Result<std::shared_ptr<const Tokenizer>> result =
        Impl::make(*content, config ? *config : kNone);
    if (!result)
        return Error{result.error().code, {"\"%1\": %2", path.string(), result.error().message}};
    return result;
}

} // namespace ep::text

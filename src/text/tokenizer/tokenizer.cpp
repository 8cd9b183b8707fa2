// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/text/tokenizer.h"

#include "added_tokens.h"
#include "byte_level.h"
#include "decoder.h"
#include "gguf_document.h"
#include "normalizer.h"
#include "pieces.h"
#include "pre_tokenizer.h"
#include "token_model.h"
#include "vocabulary.h"

#include "ep/core/mapped_file.h"
#include "ep/core/utf8.h"
#include "ep/json/document.h"
#include "ep/json/gguf.h"
#include "ep/json/value.h"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace ep::text {
namespace {

TokenId readId(const json::Value& json)
{
    return static_cast<TokenId>(json.asInteger(0, highestTokenId));
}

std::vector<TokenId> readSpecialToken(const json::Value& piece, const json::Value& tokens)
{
    const json::Value name = piece.at("id");
    const auto token = tokens.find(name.asString().c_str());
    if (!token)
        name.fail(
            Message("is %1, which special_tokens does not have", json::inQuotes(name.asString())));
    const json::Value list = token->at("ids");
    list.requireArray();
    std::vector<TokenId> ids;
    for (std::size_t i = 0; i < list.size(); ++i)
        ids.push_back(readId(list.at(i)));
    return ids;
}

// Adds the tokens around a sequence (BOS etc.). Immutable.
class PostProcessor {
public:
    PostProcessor() = default; // adds nothing

    // Throws json::ReadError.
    explicit PostProcessor(const json::Value& json) { read(json, 0); }

    PostProcessor(std::optional<TokenId> before, std::optional<TokenId> after)
    {
        Template& parts = m_templates.emplace_back();
        if (before)
            parts.push_back({std::vector<TokenId>{*before}});
        parts.push_back({std::nullopt});
        if (after)
            parts.push_back({std::vector<TokenId>{*after}});
    }

    std::vector<TokenId> process(std::vector<TokenId> ids, bool addSpecialTokens) const
    {
        for (const Template& parts : m_templates) {
            std::vector<TokenId> result;
            result.reserve(ids.size() + parts.size());
            for (const Part& part : parts) {
                if (!part.tokens)
                    result.insert(result.end(), ids.begin(), ids.end());
                else if (addSpecialTokens)
                    result.insert(result.end(), part.tokens->begin(), part.tokens->end());
            }
            ids = std::move(result);
        }
        return ids;
    }

private:
    struct Part {
        std::optional<std::vector<TokenId>> tokens; // nullopt: the sequence itself
    };
    using Template = std::vector<Part>;

    void read(const json::Value& json, int depth)
    {
        const std::string type = json.string("type");
        if (type == "ByteLevel")
            return; // only changes offsets, which we do not have
        if (type == "TemplateProcessing") {
            m_templates.push_back(readTemplate(json));
        } else if (type == "RobertaProcessing" || type == "BertProcessing") {
            m_templates.push_back(readClassifier(json));
        } else if (type == "Sequence") {
            if (depth >= kMaximalNesting)
                json.fail("is nested too deeply");
            const json::Value list = json.at("processors");
            list.requireArray();
            for (std::size_t i = 0; i < list.size(); ++i)
                read(list.at(i), depth + 1);
        } else {
            json.unsupported(
                Message("is the post-processor %1, which is not supported", json::inQuotes(type)));
        }
    }

    static Template readTemplate(const json::Value& json)
    {
        const json::Value single = json.at("single");
        single.requireArray();
        Template result;
        bool hasSequence = false;
        for (std::size_t i = 0; i < single.size(); ++i) {
            const json::Value piece = single.at(i);
            if (const auto special = piece.find("SpecialToken")) {
                result.push_back({readSpecialToken(*special, json.at("special_tokens"))});
            } else if (const auto sequence = piece.find("Sequence")) {
                if (sequence->string("id") != "A")
                    sequence->fail("must have the id \"A\", since there is no second sequence");
                if (std::exchange(hasSequence, true))
                    sequence->fail("repeats the sequence, which may occur once");
                result.push_back({std::nullopt});
            } else {
                piece.fail("must be a SpecialToken or a Sequence");
            }
        }
        return result;
    }

    // [CLS] sequence [SEP]; both are given as a list of the token and its id.
    static Template readClassifier(const json::Value& json)
    {
        const auto idOf = [&](const char* key) {
            const json::Value pair = json.at(key);
            if (!pair.isArray() || pair.size() != 2)
                pair.fail("must be a list of a token and its id");
            return std::vector<TokenId>{readId(pair.at(1))};
        };
        return {{idOf("cls")}, {std::nullopt}, {idOf("sep")}};
    }

    std::vector<Template> m_templates; // applied one after the other
};

constexpr std::size_t longestRememberedWord = 64;
constexpr std::size_t rememberedWords = 1U << 16U;

struct IdRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

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

// Classes of transformers that rebuild the post-processor from their own settings, which override
// those of tokenizer.json for the start and the end of a text.
constexpr std::array<std::string_view, 8> ownPostProcessor{
    "LlamaTokenizer", "LlamaTokenizerFast", "CodeLlamaTokenizer", "CodeLlamaTokenizerFast",
    "GemmaTokenizer", "GemmaTokenizerFast", "CohereTokenizer",    "CohereTokenizerFast"};

std::optional<bool> flag(const json::Json& config, const char* key)
{
    const auto found = config.find(key);
    return found != config.end() && found->is_boolean() ? std::optional(found->get<bool>())
                                                        : std::nullopt;
}

// A special token is a string, or an object with more details.
std::string content(const json::Json& config, const char* key)
{
    const auto found = config.find(key);
    if (found == config.end())
        return {};
    const json::Json& token =
        found->is_object() && found->contains("content") ? (*found)["content"] : *found;
    return token.is_string() ? token.get<std::string>() : std::string();
}

// Whether every byte has a token (a byte-level character, or <0x00> to <0xFF>), so that no text is
// dropped or becomes a single unknown token.
bool hasAllBytes(const Vocabulary& vocabulary)
{
    bool level = true;
    for (unsigned byte = 0; byte < 256; ++byte) {
        std::string character;
        const char c = static_cast<char>(byte);
        appendByteLevel(character, std::string_view(&c, 1));
        level = level && vocabulary.idOf(character);
    }
    const std::vector<TokenId> named = byteTokens(vocabulary);
    return level || std::ranges::find(named, -1) == named.end();
}

std::size_t longestIn(const Vocabulary& vocabulary)
{
    std::size_t longest = 1;
    std::size_t seen = 0;
    for (TokenId id = 0; id <= highestTokenId && seen < vocabulary.size(); ++id) {
        if (!vocabulary.hasId(id))
            continue;
        ++seen;
        longest = std::max(longest, vocabulary.tokenOf(id).size());
    }
    return longest;
}

} // namespace

// The parts of the document. A null normalizer or pre-tokenizer does nothing.
struct Tokenizer::Impl {
    std::unique_ptr<TokenModel> model;
    std::unique_ptr<Normalizer> normalizer;
    std::unique_ptr<PreTokenizer> preTokenizer;
    AddedTokens added;
    PostProcessor postProcessor;
    TextDecoder decoder;

    // config: tokenizer_config.json, may be null
    static Result<std::shared_ptr<const Tokenizer>> make(std::string_view json,
                                                         const json::Json& config);
    template <typename Read>
    static Result<std::shared_ptr<const Tokenizer>> build(Read&& read, const json::Json& config);
    void applyConfig(const json::Json& config);
    std::optional<TokenId> idOf(std::string_view token) const;

    // nullopt for an id that is not in the vocabulary.
    std::optional<std::string_view> tokenOf(TokenId id) const;
    // The token to decode for the id; nullopt if it is skipped.
    std::optional<std::string_view> tokenToDecode(TokenId id, bool skipSpecialTokens) const;
    Status encodeWords(const Pieces& pieces, std::vector<TokenId>& ids) const;
};

std::optional<std::string_view> Tokenizer::Impl::tokenOf(TokenId id) const
{
    if (const std::string* token = added.tokenOf(id))
        return *token;
    if (model->vocabulary().hasId(id))
        return model->vocabulary().tokenOf(id);
    return std::nullopt;
}

std::optional<std::string_view> Tokenizer::Impl::tokenToDecode(TokenId id,
                                                               bool skipSpecialTokens) const
{
    std::optional<std::string_view> token = tokenOf(id);
    if (const std::string* addedToken = added.decodedTokenOf(id))
        token = *addedToken;
    if (token && skipSpecialTokens && added.isSpecial(*token))
        return std::nullopt;
    return token;
}

// Words repeat, so the ids of words seen before in this text are copied.
Status Tokenizer::Impl::encodeWords(const Pieces& pieces, std::vector<TokenId>& ids) const
{
    std::unordered_map<std::string_view, IdRange> seen;
    const std::unique_ptr<TokenModel::Workspace> workspace = model->makeWorkspace();
    for (const Piece& piece : pieces.list) {
        if (piece.token != noToken) {
            ids.push_back(piece.token);
            continue;
        }
        if (piece.text.empty())
            continue;
        const bool remember = piece.text.size() <= longestRememberedWord;
        if (remember) {
            if (const auto found = seen.find(piece.text); found != seen.end()) {
                for (std::size_t i = found->second.begin; i < found->second.end; ++i)
                    ids.push_back(ids[i]);
                continue;
            }
        }
        const std::size_t begin = ids.size();
        if (Status status = model->tokenize(piece.text, *workspace, ids); !status)
            return status;
        if (remember && seen.size() < rememberedWords)
            seen.emplace(piece.text, IdRange{begin, ids.size()});
    }
    return {};
}

Tokenizer::Tokenizer(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}

Tokenizer::~Tokenizer() = default;

Result<std::vector<TokenId>> Tokenizer::tryEncode(std::string_view text,
                                                  bool addSpecialTokens) const
{
    std::string repaired;
    if (!isValidUtf8(text)) {
        repaired = replaceInvalidUtf8(text);
        text = repaired;
    }
    Pieces pieces(text);
    if (Status status = m_impl->added.extract(pieces, m_impl->normalizer.get()); !status)
        return status.error();
    if (m_impl->preTokenizer) {
        if (Status status = m_impl->preTokenizer->apply(pieces); !status)
            return status.error();
    }
    std::vector<TokenId> ids;
    if (Status status = m_impl->encodeWords(pieces, ids); !status)
        return status.error();
    return m_impl->postProcessor.process(std::move(ids), addSpecialTokens);
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, bool addSpecialTokens) const
{
    Result<std::vector<TokenId>> ids = tryEncode(text, addSpecialTokens);
    return ids ? *std::move(ids) : std::vector<TokenId>();
}

std::string Tokenizer::decode(std::span<const TokenId> ids, bool skipSpecialTokens) const
{
    DecodingRun run(m_impl->decoder);
    for (const TokenId id : ids) {
        if (const auto token = m_impl->tokenToDecode(id, skipSpecialTokens))
            run.push(*token);
    }
    run.finish();
    return run.takeText();
}

std::size_t Tokenizer::vocabularySize() const
{
    const Vocabulary& vocabulary = m_impl->model->vocabulary();
    return vocabulary.size() + m_impl->added.countBeside(vocabulary);
}

std::string Tokenizer::tokenString(TokenId id) const
{
    return std::string(m_impl->tokenOf(id).value_or(std::string_view()));
}

bool Tokenizer::isSpecial(TokenId id) const
{
    const auto token = m_impl->tokenOf(id);
    return token && m_impl->added.isSpecial(*token);
}

Result<std::shared_ptr<const Tokenizer>> Tokenizer::fromJson(std::string_view json)
{
    return Impl::make(json, {});
}

Result<std::shared_ptr<const Tokenizer>> Tokenizer::Impl::make(std::string_view text,
                                                               const json::Json& config)
{
    const auto parsed = json::parse(text);
    if (!parsed) {
        return Error{parsed.error().code,
                     {"The tokenizer cannot be used: it is %1.", parsed.error().message}};
    }
    return build([&]() -> const json::Json& { return *parsed; }, config);
}

Result<std::shared_ptr<const Tokenizer>> Tokenizer::ofGguf(const MappedFile& file)
{
    auto metadata = json::readGgufMetadata(file, json::kAnyGgufList);
    if (!metadata)
        return metadata.error();
    json::Json document;
    auto tokenizer = Impl::build(
        [&]() -> const json::Json& {
            document = tokenizerOfGguf(*std::move(metadata));
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
                                                                const json::Json& config)
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
    static const json::Json kNone;
    Result<std::shared_ptr<const Tokenizer>> result =
        Impl::make(*content, config ? *config : kNone);
    if (!result)
        return Error{result.error().code, {"\"%1\": %2", path.string(), result.error().message}};
    return result;
}

std::optional<TokenId> Tokenizer::Impl::idOf(std::string_view token) const
{
    if (const auto id = added.idOf(token))
        return id;
    return model->vocabulary().idOf(token);
}

void Tokenizer::Impl::applyConfig(const json::Json& config)
{
    if (!config.is_object())
        return;
    const std::string name = content(config, "tokenizer_class");
    const std::optional<bool> addsBos = flag(config, "add_bos_token");
    const std::optional<bool> addsEos = flag(config, "add_eos_token");
    if (std::find(ownPostProcessor.begin(), ownPostProcessor.end(), name) == ownPostProcessor.end()
        || !addsBos)
        return;
    std::optional<TokenId> before;
    std::optional<TokenId> after;
    if (*addsBos)
        before = idOf(content(config, "bos_token"));
    if (addsEos.value_or(false))
        after = idOf(content(config, "eos_token"));
    if (before.has_value() == *addsBos && after.has_value() == addsEos.value_or(false))
        postProcessor = PostProcessor(before, after);
}

struct StreamDecoder::Impl {
    std::shared_ptr<const Tokenizer> tokenizer;
    bool skipSpecialTokens = true;
    DecodingRun run;
};

StreamDecoder::StreamDecoder(std::shared_ptr<const Tokenizer> tokenizer, bool skipSpecialTokens)
{
    DecodingRun run(tokenizer->m_impl->decoder);
    m_impl = std::make_unique<Impl>(Impl{std::move(tokenizer), skipSpecialTokens, std::move(run)});
}

StreamDecoder::~StreamDecoder() = default;
StreamDecoder::StreamDecoder(StreamDecoder&&) noexcept = default;
StreamDecoder& StreamDecoder::operator=(StreamDecoder&&) noexcept = default;

std::string StreamDecoder::push(TokenId id)
{
    const Tokenizer::Impl& parts = *m_impl->tokenizer->m_impl;
    if (const auto token = parts.tokenToDecode(id, m_impl->skipSpecialTokens))
        m_impl->run.push(*token);
    return m_impl->run.takeText();
}

std::string StreamDecoder::flush()
{
    m_impl->run.finish();
    std::string text = m_impl->run.takeText();
    m_impl->run = DecodingRun(m_impl->tokenizer->m_impl->decoder);
    return text;
}

std::size_t Tokenizer::leastTokens(std::string_view text) const
{
    const auto shrinks =
        m_impl->normalizer ? m_impl->normalizer->mostShrinking() : std::optional(1);
    const Vocabulary& vocabulary = m_impl->model->vocabulary();
    if (!shrinks || !hasAllBytes(vocabulary))
        return 0;
    // Blanks next to an added token may be stripped.
    const auto solid = static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return static_cast<unsigned char>(c) > ' '; }));
    const std::size_t longest = std::max(longestIn(vocabulary), m_impl->added.longestToken());
    return solid / (static_cast<std::size_t>(*shrinks) * longest);
}

} // namespace ep::text

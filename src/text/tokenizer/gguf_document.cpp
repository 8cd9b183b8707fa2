// SPDX-License-Identifier: GPL-3.0-or-later
#include "gguf_document.h"

#include "vocabulary.h"

#include "ep/core/utf8.h"
#include "ep/json/gguf.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ep::text {
namespace {

using Json = json::Json;

constexpr const char* kPrefix = "tokenizer.ggml.";
constexpr const char* kSpace = "\u2581";

// Values of `token_type`.
constexpr int kNormal = 1;
constexpr int kControl = 3;
constexpr int kUserDefined = 4;
constexpr int kUnused = 5;

struct Word {
    std::string text;
    double score = 0.0;
    int type = kNormal;
};

// A merge that SentencePiece would choose for this token; the highest score comes first.
struct ScoredMerge {
    double score = 0.0;
    std::size_t left_length = 0; // in code points
    std::size_t right_length = 0;
    std::string_view left;
    std::string_view right;
};

class DocumentWriter {
public:
    explicit DocumentWriter(Json metadata)
        : m_metadata(std::move(metadata))
        , m_keys(m_metadata)
    {
    }

    Json write()
    {
        const std::string model = m_keys.string(key("model"));
        readWords();
        m_out["version"] = "1.0";
        if (model == "gpt2") {
            writeMerges(preTokenizer());
        } else if (model == "gemma4" || model == "whitespace") {
            writeMerges(*findGgufPreTokenizer(model));
        } else if (model == "llama") {
            writeSentencePiece();
        } else {
            m_keys.at(key("model"))
                .unsupported(Message("is %1; known are gpt2, llama, gemma4 and whitespace. For "
                                     "others, attach to the server that runs the model",
                                     json::inQuotes(model)));
        }
        writeAdded();
        return std::move(m_out);
    }

private:
    static std::string key(const char* name) { return std::string(kPrefix) + name; }

    void readWords()
    {
        const json::Value tokens = m_keys.at(key("tokens"));
        const std::size_t count = tokens.requireArray().size();
        if (count > static_cast<std::size_t>(highestTokenId) + 1)
            tokens.fail("has too many entries");
        const auto numbers = [&](const char* name) -> std::optional<json::Value> {
            const auto list = m_keys.find(key(name));
            if (list && list->requireArray().size() != count)
                list->fail("must have one entry for each token");
            return list;
        };
        const auto scores = numbers("scores");
        const auto types = numbers("token_type");
        m_words.resize(count);
        for (std::size_t id = 0; id < count; ++id) {
            Word& word = m_words[id];
            const Json& text = tokens.json()[id];
            if (!text.is_string())
                tokens.at(id).fail("must be a string");
            word.text = text.get<std::string>();
            if (scores)
                word.score = finiteOr(numberIn(*scores, id), std::numeric_limits<float>::lowest());
            if (types) {
                const double type = numberIn(*types, id);
                word.type = type >= 0.0 && type <= kUnused + 1 ? static_cast<int>(type) : kNormal;
            }
        }
    }

    // Infinities and NaN cannot be sorted.
    static double finiteOr(double value, double other)
    {
        return std::isfinite(value) ? value : other;
    }

    static double numberIn(const json::Value& list, std::size_t index)
    {
        const Json& value = list.json()[index];
        return value.is_number() ? value.get<double>() : list.at(index).asNumber();
    }

    // Rows that only pad the embedding matrix are not tokens.
    static bool fills(const Word& word)
    {
        return word.type == kUnused && word.text.starts_with("[PAD");
    }

    // Takes the list from the metadata, since copying the texts takes long.
    Json tokens()
    {
        Json tokens = std::move(m_metadata.at(key("tokens")));
        for (std::size_t id = 0; id < m_words.size(); ++id) {
            if (fills(m_words[id]) || m_words[id].text.empty())
                tokens[id] = nullptr;
        }
        return tokens;
    }

    // --- gpt2 ------------------------------------------------------------------------------------

    const GgufPreTokenizer& preTokenizer() const
    {
        const std::string name = m_keys.string(key("pre"), "gpt-2");
        if (const GgufPreTokenizer* known = findGgufPreTokenizer(name))
            return *known;
        m_keys.at(key("pre"))
            .unsupported(Message("is the pre-tokenizer %1, which is not known: attach to the "
                                 "server that runs the model",
                                 json::inQuotes(name)));
    }

    void writeMerges(const GgufPreTokenizer& pre)
    {
        m_keys.at(key("merges")).requireArray();
        m_out["model"] = {{"type", "BPE"}, {"ignore_merges", pre.whole_words}};
        m_out["model"]["tokens"] = tokens();
        m_out["model"]["merges"] = std::move(m_metadata.at(key("merges")));
        Json steps = Json::array();
        for (const std::string_view pattern : pre.patterns) {
            if (!pattern.empty()) {
                steps.push_back({{"type", "Split"},
                                 {"pattern", {{"Regex", pattern}}},
                                 {"behavior", "Isolated"},
                                 {"invert", false}});
            }
        }
        m_out["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", steps}};
        if (pre.composes)
            m_out["normalizer"] = {{"type", "NFC"}};
        if (pre.drops_blanks)
            writeWords();
        else if (pre.raw)
            writeRawCharacters();
        else
            writeByteLevel();
        writeEnds(pre.begins);
    }

    void writeByteLevel()
    {
        const Json bytes = {
            {"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}};
        m_out["pre_tokenizer"]["pretokenizers"].push_back(bytes);
        m_out["decoder"] = bytes;
    }

    // Merges of characters within words; white space is lost.
    void writeWords()
    {
        m_out["pre_tokenizer"]["pretokenizers"].push_back({{"type", "Whitespace"}});
        if (m_keys.boolean(key("normalizer.lowercase"), false))
            m_out["normalizer"] = {{"type", "Lowercase"}};
        if (const auto unknown = textOf("unknown_token_id"))
            m_out["model"]["unk_token"] = *unknown;
    }

    // Gemma 4: merges of characters, blanks as in SentencePiece, bytes only for unknown ones.
    void writeRawCharacters()
    {
        m_out["model"]["byte_fallback"] = true;
        m_out["model"]["fuse_unk"] = true;
        if (const auto unknown = textOf("unknown_token_id"))
            m_out["model"]["unk_token"] = *unknown;
        m_out["normalizer"] = {
            {"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", kSpace}};
        m_out["decoder"] = {
            {"type", "Sequence"},
            {"decoders",
             {{{"type", "Replace"}, {"pattern", {{"String", kSpace}}}, {"content", " "}},
              {{"type", "ByteFallback"}},
              {{"type", "Fuse"}}}}};
    }

    // --- llama -----------------------------------------------------------------------------------

    void writeSentencePiece()
    {
        Json list = tokens();
        Json model = {{"type", "BPE"}, {"byte_fallback", true}, {"fuse_unk", true}};
        model["merges"] = merges();
        model["tokens"] = std::move(list);
        if (const auto unknown = textOf("unknown_token_id"))
            model["unk_token"] = *unknown;
        m_out["model"] = std::move(model);
        const bool prefixed = m_keys.boolean(key("add_space_prefix"), true);
        const Json spaces = {
            {"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", kSpace}};
        Json steps = Json::array();
        if (prefixed)
            steps.push_back({{"type", "Prepend"}, {"prepend", kSpace}});
        steps.push_back(spaces);
        m_out["normalizer"] = {{"type", "Sequence"}, {"normalizers", steps}};
        Json decoders =
            Json::array({{{"type", "Replace"}, {"pattern", {{"String", kSpace}}}, {"content", " "}},
                         {{"type", "ByteFallback"}},
                         {{"type", "Fuse"}}});
        if (prefixed)
            decoders.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
        m_out["decoder"] = {{"type", "Sequence"}, {"decoders", decoders}};
        writeEnds(true);
    }

    // Every division of a token into two others, by decreasing score, as SentencePiece merges. For
    // one token, the longer first part comes first, as in HuggingFace's conversion.
    Json merges() const
    {
        constexpr std::size_t kLongest = 512; // bytes; merging never finds longer tokens
        std::unordered_map<std::string_view, std::size_t> ids;
        for (std::size_t id = 0; id < m_words.size(); ++id)
            ids.emplace(m_words[id].text, id);
        std::vector<ScoredMerge> found;
        for (const Word& word : m_words) {
            const std::string_view text = word.text;
            if ((word.type != kNormal && word.type != kUserDefined) || text.size() > kLongest)
                continue;
            std::vector<std::pair<std::tuple<std::size_t, std::size_t>, ScoredMerge>> own;
            for (std::size_t cut = 1; cut < text.size(); ++cut) {
                const auto left = ids.find(text.substr(0, cut));
                if (left == ids.end())
                    continue;
                const auto right = ids.find(text.substr(cut));
                if (right == ids.end())
                    continue;
                own.push_back({{left->second, right->second},
                               {.score = word.score,
                                .left_length = codePointCount(left->first),
                                .right_length = codePointCount(right->first),
                                .left = left->first,
                                .right = right->first}});
            }
            std::sort(own.begin(), own.end(),
                      [](const auto& a, const auto& b) { return a.first < b.first; });
            for (const auto& [order, merge] : own)
                found.push_back(merge);
        }
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
            return std::tie(a.score, a.left_length, a.right_length)
                > std::tie(b.score, b.left_length, b.right_length);
        });
        Json::array_t merges;
        merges.reserve(found.size());
        for (const ScoredMerge& merge : found)
            merges.push_back(Json::array({merge.left, merge.right}));
        return merges;
    }

    // --- All vocabularies ------------------------------------------------------------------------

    std::optional<std::string> textOf(const char* name) const
    {
        if (!m_keys.has(key(name)))
            return std::nullopt;
        const json::Value value = m_keys.at(key(name));
        if (json::isNoToken(value.json()))
            return std::nullopt;
        // A file may name a token beyond its vocabulary, which counts as no token.
        const auto id = static_cast<std::size_t>(value.asInteger(0, highestTokenId));
        return id < m_words.size() ? std::optional(m_words[id].text) : std::nullopt;
    }

    // Writes the tokens around a text.
    void writeEnds(bool begins)
    {
        const auto first = textOf("bos_token_id");
        const auto last = textOf("eos_token_id");
        Json parts = Json::array();
        Json tokens = Json::object();
        const auto add = [&](const std::string& text) {
            parts.push_back({{"SpecialToken", {{"id", text}, {"type_id", 0}}}});
            const auto id = std::find_if(m_words.begin(), m_words.end(),
                                         [&](const Word& word) { return word.text == text; });
            tokens[text] = {{"id", text}, {"ids", {id - m_words.begin()}}, {"tokens", {text}}};
        };
        if (first && m_keys.boolean(key("add_bos_token"), begins))
            add(*first);
        parts.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
        if (last && m_keys.boolean(key("add_eos_token"), false))
            add(*last);
        m_out["post_processor"] = {
            {"type", "TemplateProcessing"}, {"single", parts}, {"special_tokens", tokens}};
    }

    // Phi 3 drops blanks after all of its special tokens except these, which no key states.
    bool dropsBlanks(const Word& word) const
    {
        const bool phi3 = m_keys.string("general.architecture", "") == "phi3";
        return phi3 && word.text != "<unk>" && word.text != "<s>" && word.text != "<|endoftext|>";
    }

    void writeAdded()
    {
        Json added = Json::array();
        const auto unknown = textOf("unknown_token_id");
        for (std::size_t id = 0; id < m_words.size(); ++id) {
            const Word& word = m_words[id];
            if (word.type != kControl && word.type != kUserDefined && word.text != unknown)
                continue;
            added.push_back({{"id", id},
                             {"content", word.text},
                             {"special", word.type != kUserDefined},
                             {"normalized", false},
                             {"lstrip", false},
                             {"rstrip", dropsBlanks(word)},
                             {"single_word", false}});
        }
        m_out["added_tokens"] = std::move(added);
    }

    Json m_metadata;
    json::Value m_keys;
    std::vector<Word> m_words;
    Json m_out = Json::object();
};

using Text = std::string_view;

// Building blocks of the patterns.
#define EP_SUFFIXES "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define EP_LETTERS R"([^\r\n\p{L}\p{N}]?\p{L}+)"
#define EP_SIGNS R"( ?[^\s\p{L}\p{N}]+[\r\n]*)"
#define EP_SPACES R"(\s*[\r\n]+|\s+(?!\S)|\s+)"
#define EP_UPPER R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])"
#define EP_LOWER R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])"
#define EP_ASCII_SIGNS R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~])"

constexpr Text kGpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr Text kDigit = R"(\p{N})";
constexpr Text kThreeDigits = R"(\p{N}{1,3})";
constexpr Text kThreeAscii = "[0-9][0-9][0-9]";

// Llama 3 and GPT-4: up to three digits; Qwen: one.
constexpr Text kLlama3 = EP_SUFFIXES "|" EP_LETTERS R"(|\p{N}{1,3}|)" EP_SIGNS "|" EP_SPACES;
constexpr Text kQwen2 = EP_SUFFIXES "|" EP_LETTERS R"(|\p{N}|)" EP_SIGNS "|" EP_SPACES;
constexpr Text kQwen35 = EP_SUFFIXES
    R"(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|)" EP_SPACES;
constexpr Text kWithoutSuffixes = EP_LETTERS R"(|\p{N}|)" EP_SIGNS "|" EP_SPACES;
constexpr Text kMinicpm5 = EP_SUFFIXES "|" EP_LETTERS R"(|\p{N}+|)" EP_SIGNS "|" EP_SPACES;
constexpr Text kSeedCoder =
    EP_SUFFIXES "|" EP_LETTERS R"(|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|)" EP_SPACES;
constexpr Text kBailing =
    R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)";
constexpr Text kExaoneMoe = EP_SUFFIXES
    R"(|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+)";
constexpr Text kJais2 = EP_SUFFIXES
    "|" EP_LETTERS R"(|\p{N}{1,3}|)" EP_SIGNS
    R"(|\s*[\r\n]+|\s{512}(?!\S)|\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1})";

// GPT-4o: words end where an upper-case letter follows lower-case ones.
#define EP_CASED(suffixes)                                                                         \
    R"([^\r\n\p{L}\p{N}]?)" EP_UPPER "*" EP_LOWER "+" suffixes R"(|[^\r\n\p{L}\p{N}]?)" EP_UPPER   \
    "+" EP_LOWER "*" suffixes
#define EP_CASED_REST R"(| ?[^\s\p{L}\p{N}]+[\r\n/]*|)" EP_SPACES
constexpr Text kGpt4o = EP_CASED(EP_SUFFIXES "?") R"(|\p{N}{1,3})" EP_CASED_REST;
constexpr Text kTekken = EP_CASED("") R"(|\p{N})" EP_CASED_REST;
constexpr Text kYoutu = EP_CASED(EP_SUFFIXES "?") R"(|\p{N})" EP_CASED_REST;
constexpr Text kYoutuScripts =
    R"([\x{ac00}-\x{d7a3}\x{3131}-\x{318e}]+|[\x{ff01}\x{2026}\x{201c}\x{201d}\x{2018}\x{2019}\x{2014}\x{ff1a}\x{ff1b}\x{ff0c}\x{3001}-\x{303f}\x{fe30}-\x{fe4f}]+|[\x{3105}-\x{312f}]+|[\x{4e00}-\x{9fa5}\x{3040}-\x{309f}\x{30a0}-\x{30ff}]+)";
constexpr Text kTinyAyaDigits = R"(\d{1,3}(?=(?:\d{3})*\b))";

// Kimi: like GPT-4o, but runs of Chinese characters are words of their own.
#define EP_NOT_HAN_UPPER R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]])"
#define EP_NOT_HAN_LOWER R"([\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]])"
constexpr Text kKimi =
    R"([\p{Han}]+|[^\r\n\p{L}\p{N}]?)" EP_NOT_HAN_UPPER "*" EP_NOT_HAN_LOWER "+" EP_SUFFIXES
    R"(?|[^\r\n\p{L}\p{N}]?)" EP_NOT_HAN_UPPER "+" EP_NOT_HAN_LOWER "*" EP_SUFFIXES
    R"(?|\p{N}{1,3}|)" EP_SIGNS "|" EP_SPACES;

constexpr Text kDeepseek3 = EP_ASCII_SIGNS
    R"([A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|)" EP_SPACES;
constexpr Text kSpark = EP_ASCII_SIGNS
    R"([A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+|[\r\n]|\s+(?!\S)|\s+)";
constexpr Text kChineseJapanese = R"([\x{4e00}-\x{9fa5}\x{3040}-\x{309f}\x{30a0}-\x{30ff}]+)";
constexpr Text kNewLine = R"([\r\n])";
constexpr Text kChineseKorean = R"([\x{4e00}-\x{9fa5}\x{800}-\x{4e00}\x{ac00}-\x{d7ff}]+)";
constexpr Text kDeepseekLetters =
    R"(\s?[A-Za-z\x{b5}\x{c0}-\x{d6}\x{d8}-\x{f6}\x{f8}-\x{1ba}\x{1bc}-\x{1bf}\x{1c4}-\x{293}\x{295}-\x{2af}\x{370}-\x{373}\x{376}\x{377}\x{37b}-\x{37d}\x{37f}\x{386}\x{388}-\x{38a}\x{38c}\x{38e}-\x{3a1}\x{3a3}-\x{3f5}\x{3f7}-\x{481}\x{48a}-\x{52f}\x{531}-\x{556}\x{10a0}-\x{10c5}\x{13a0}-\x{13f5}\x{13f8}-\x{13fd}\x{1c90}-\x{1cba}\x{1cbd}-\x{1cbf}\x{1d00}-\x{1d2b}\x{1d6b}-\x{1d77}\x{1d79}-\x{1d9a}\x{1e00}-\x{1f15}\x{1f18}-\x{1f1d}\x{1f20}-\x{1f45}\x{1f48}-\x{1f4d}\x{1f50}-\x{1f57}\x{1f59}\x{1f5b}\x{1f5d}\x{1f5f}-\x{1f7d}\x{1f80}-\x{1fb4}\x{1fb6}-\x{1fbc}\x{1fbe}\x{1fc2}-\x{1fc4}\x{1fc6}-\x{1fcc}\x{1fd0}-\x{1fd3}\x{1fd6}-\x{1fdb}\x{1fe0}-\x{1fec}\x{1ff2}-\x{1ff4}\x{1ff6}-\x{1ffc}\x{2102}\x{2107}\x{210a}-\x{2113}\x{2115}\x{2119}-\x{211d}\x{2124}\x{2126}\x{2128}\x{212a}-\x{212d}\x{212f}-\x{2134}\x{2139}\x{213c}-\x{213f}\x{2145}-\x{2149}\x{214e}\x{2183}\x{2184}\x{2c00}-\x{2c7b}\x{2c7e}-\x{2ce4}\x{2ceb}-\x{2cee}\x{2cf2}\x{2cf3}\x{a640}-\x{a66d}\x{a680}-\x{a69b}\x{a722}-\x{a76f}\x{a771}-\x{a787}\x{a78b}-\x{a78e}\x{ab70}-\x{abbf}\x{fb00}-\x{fb06}\x{fb13}-\x{fb17}\x{ff21}-\x{ff3a}\x{ff41}-\x{ff5a}\x{10400}-\x{1044f}\x{104b0}-\x{104d3}\x{104d8}-\x{104fb}\x{10c80}-\x{10cb2}\x{10cc0}-\x{10cf2}\x{118a0}-\x{118df}\x{1e900}-\x{1e943}]+)";
constexpr Text kDeepseekSigns =
    R"(\s?[!-/:-~\x{ff01}-\x{ff0f}\x{ff1a}-\x{ff5e}\x{2018}-\x{201f}\x{3000}-\x{3002}]+)";

constexpr Text kBloom = R"( ?[^(\s|.,!?\x{2026}\x{3002}\x{ff0c}\x{3001}\x{964}\x{6d4}\x{60c})]+)";
constexpr Text kFalconSigns = R"([\p{P}\$\+<=>\^~\|`]+)";
constexpr Text kDefaultSigns = R"([\p{P}\$\+<=>\^~\|]+)";
constexpr Text kLines = R"([^\n]+|[\n]+)";
constexpr Text kAfmoeDigits = R"(\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N})))";
constexpr Text kAsianScripts =
    R"([\x{4e00}-\x{9fff}\x{3400}-\x{4dbf}\x{f900}-\x{faff}\x{3040}-\x{309f}\x{30a0}-\x{30ff}\x{ff65}-\x{ff9f}\x{2f00}-\x{2fdf}\x{e40}-\x{e7f}\x{e80}-\x{eff}\x{1780}-\x{17ff}\x{1000}-\x{109f}\x{aa60}-\x{aa7f}\x{a9e0}-\x{a9ff}\x{ac00}-\x{d7af}\x{1100}-\x{11ff}]+)";

#undef EP_SUFFIXES
#undef EP_LETTERS
#undef EP_SIGNS
#undef EP_SPACES
#undef EP_UPPER
#undef EP_LOWER
#undef EP_ASCII_SIGNS
#undef EP_CASED
#undef EP_CASED_REST
#undef EP_NOT_HAN_UPPER
#undef EP_NOT_HAN_LOWER

constexpr std::array<GgufPreTokenizer, 91> kPreTokenizers{{
    {"default", {kDefaultSigns, kGpt2, R"(\p{N}+)", kThreeAscii}},
    {"llama-bpe", {kLlama3}, true, false, true},
    {"llama3", {kLlama3}, true, false, true},
    {"llama-v3", {kLlama3}, true, false, true},
    {"falcon3", {kLlama3}, true, false, true},
    {"falcon-h1", {kLlama3}, true, false, true},
    {"pixtral", {kLlama3}, true, false, true},
    {"midm-2.0", {kLlama3}, true, false, true},
    {"lfm2", {kLlama3}, true, false, true},
    {"jina-v5-nano", {kLlama3}, true, false, true},
    {"smaug-bpe", {kLlama3}},
    {"dbrx", {kLlama3}},
    {"chatglm-bpe", {kLlama3}},
    {"glm4", {kLlama3}, true},
    {"glm5", {kLlama3}, true},
    {"jais-2", {kJais2}},
    {"minicpm5", {kThreeDigits, kMinicpm5}, true},
    {"qwen2", {kQwen2}, false, true},
    {"deepseek-r1-qwen", {kQwen2}, false, true},
    {"kormo", {kQwen2}, false, true},
    {"f2llmv2", {kQwen2}, false, true},
    {"megrez", {kQwen2}, false, true},
    {"qwen35", {kQwen35}, false, true},
    {"stablelm2", {kQwen2}},
    {"hunyuan", {kQwen2}},
    {"solar-open", {kQwen2}},
    {"grok-2", {kQwen2}},
    {"ufakzeka", {kWithoutSuffixes}},
    {"laguna", {kLines, kQwen2}},
    {"seed-coder", {kSeedCoder}},
    {"bailingmoe", {kBailing}},
    {"bailingmoe2", {kBailing}},
    {"llada-moe", {kBailing}},
    {"exaone-moe", {kExaoneMoe}},
    {"gpt-4o", {kGpt4o}},
    {"llama4", {kGpt4o}},
    {"kanana2", {kGpt4o}},
    {"talkie", {kGpt4o}},
    {"minimax-m2", {kGpt4o}},
    {"granite-embed-multi-97m", {kGpt4o}, true},
    {"tiny_aya", {kTinyAyaDigits, kGpt4o}},
    {"cohere2moe", {kTinyAyaDigits, kGpt4o}},
    {"tekken", {kTekken}, true, false, true},
    {"youtu", {kYoutuScripts, kYoutu}, true},
    {"kimi-k2", {kKimi}},
    {"superbpe", {R"(\p{N}+)", R"((?=(\d{3})+(?!\d)))"}},
    {"deepseek-llm",
     {kNewLine, kDeepseekLetters, kDeepseekSigns, R"(\s+$)", kChineseKorean, R"(\p{N}+)"}},
    {"deepseek-coder", {kNewLine, R"(\s?\p{L}+)", R"(\s?\p{P}+)", kChineseKorean, kDigit}},
    {"deepseek-v3", {kThreeDigits, kChineseJapanese, kDeepseek3}},
    {"hunyuan-dense", {kThreeDigits, kChineseJapanese, kDeepseek3}},
    {"joyai-llm", {kThreeDigits, kChineseJapanese, kDeepseek3}},
    {"hy_v4", {kThreeDigits, kChineseJapanese, kDeepseek3}},
    {"spark2_5", {kThreeDigits, kChineseJapanese, kSpark, kDigit}},
    {"afmoe", {kAfmoeDigits, kAsianScripts, kDeepseek3}},
    {"falcon", {kFalconSigns, kGpt2, kThreeAscii}},
    {"bloom", {kBloom}},
    {"poro-chat", {kBloom}},
    {"gpt3-finnish", {kBloom}},
    {"viking", {kBloom, kDigit}},
    {"chameleon",
     {"<sentinel:[0-9]+>", "(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z", R"(([\t\n]|    |  ))", kDigit,
      R"([\p{P}!-/:-@\[-`{-~])", kGpt2},
     false,
     false,
     true},
    {"gpt-2", {kGpt2}},
    {"phi-2", {kGpt2}},
    {"olmo", {kGpt2}},
    {"mpt", {kGpt2}},
    {"jais", {kGpt2}},
    {"gigachat", {kGpt2}},
    {"exaone4", {kGpt2}},
    {"trillion", {kGpt2}},
    {"granite-docling", {kGpt2}},
    {"a.x-4.0", {kGpt2}},
    {"mellum", {kGpt2}},
    {"modern-bert", {kGpt2}},
    {"roberta-bpe", {kGpt2}},
    {"jina-es", {kGpt2}},
    {"jina-de", {kGpt2}},
    {"jina-v1-en", {kGpt2}},
    {"jina-v2-es", {kGpt2}},
    {"jina-v2-de", {kGpt2}},
    {"jina-v2-code", {kGpt2}},
    {"starcoder", {kDigit, kGpt2}},
    {"refact", {kDigit, kGpt2}},
    {"command-r", {kDigit, kGpt2}},
    {"smollm", {kDigit, kGpt2}},
    {"codeshell", {kDigit, kGpt2}},
    {"exaone", {kDigit, kGpt2}},
    {"minerva-7b", {kDigit, kGpt2}},
    {"mellum2", {kDigit, kGpt2}},
    {"gemma4", {kLines}, false, false, true, true},
    {"granite-embed-multi-311m", {kLines}, false, false, true, true},
    {"sarvam-moe", {kLines}, false, false, true, true},
    {"whitespace", {}, false, false, false, true, true},
}};

} // namespace

json::Json tokenizerOfGguf(json::Json metadata)
{
    return DocumentWriter(std::move(metadata)).write();
}

const GgufPreTokenizer* findGgufPreTokenizer(std::string_view name)
{
    const auto* const found =
        std::find_if(kPreTokenizers.begin(), kPreTokenizers.end(),
                     [&](const GgufPreTokenizer& row) { return row.name == name; });
    return name.empty() || found == kPreTokenizers.end() ? nullptr : found;
}

} // namespace ep::text

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_fixture.h"
#include "family_variants.h"
#include "naive_decoder.h"
#include "random_checkpoint.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

// With tie_word_embeddings, embedding and head are one tensor. Files store it under either name or
// under both; transformers loads all three.
namespace ep::model {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::json;

enum class Kept { Embedding, Head, Both };

// How the files of one family name their tensors.
struct Spelling {
    std::string name;
    std::string architecture;
    test::Variant variant;
    std::string embedding;
    std::string head;
    // Maps a tensor's name in randomWeights() to the name in the file.
    std::function<std::string(const std::string&)> renamed = {};
};

std::string withoutStart(const std::string& text, const std::string& start)
{
    return text.starts_with(start) ? text.substr(start.size()) : text;
}

// The first variant of every architecture, and other names of the same tensors.
std::vector<Spelling> spellings()
{
    std::vector<Spelling> all;
    std::set<std::string> known;
    for (const test::Variant& variant : test::familyVariants()) {
        const std::string architecture = variant.architecture;
        if (!known.insert(architecture).second)
            continue;
        Spelling spelling{architecture, architecture, variant, "model.embed_tokens.weight",
                          "lm_head.weight"};
        if (architecture == "GPT2LMHeadModel")
            spelling.embedding = "transformer.wte.weight";
        if (architecture == "GPTNeoXForCausalLM") {
            spelling.embedding = "gpt_neox.embed_in.weight";
            spelling.head = "embed_out.weight";
        }
        all.push_back(spelling);
        if (architecture == "GPT2LMHeadModel") {
            spelling.name += "_first_files";
            spelling.renamed = [](const std::string& tensor) {
                return withoutStart(tensor, "transformer.");
            };
            all.push_back(spelling);
        }
        if (architecture.starts_with("Qwen3_5")) {
            spelling.architecture = architecture.substr(0, architecture.find("ForCausalLM"))
                + "ForConditionalGeneration";
            spelling.name = spelling.architecture;
            spelling.renamed = [](const std::string& tensor) {
                return tensor.starts_with("model.") ? "model.language_model." + tensor.substr(6)
                                                    : tensor;
            };
            all.push_back(spelling);
        }
        if (architecture == "Ministral3ForCausalLM") {
            spelling.architecture = "Mistral3ForConditionalGeneration";
            spelling.name = spelling.architecture;
            spelling.renamed = [](const std::string& tensor) { return "language_model." + tensor; };
            all.push_back(spelling);
        }
        if (architecture == "Gemma3ForCausalLM") {
            spelling.architecture = "Gemma3ForConditionalGeneration";
            spelling.name = spelling.architecture + "_older";
            spelling.renamed = [](const std::string& tensor) { return "language_model." + tensor; };
            all.push_back(spelling);
            spelling.name = spelling.architecture + "_newer";
            spelling.renamed = [](const std::string& tensor) {
                return tensor.starts_with("model.") ? "model.language_model." + tensor.substr(6)
                                                    : tensor;
            };
            all.push_back(spelling);
        }
    }
    return all;
}

class TiedWeightsTest : public EngineFixture, public testing::WithParamInterface<Spelling> {
protected:
    void SetUp() override
    {
        m_config = test::baseConfig(GetParam().variant);
        m_config["tie_word_embeddings"] = true;
        m_weights = test::randomWeights(m_config, 11);
    }

    void writeFiles(Kept kept, bool sharded)
    {
        const Spelling& spelling = GetParam();
        test::NaiveWeights stored = m_weights;
        if (kept != Kept::Embedding)
            stored[spelling.head] = stored.at(spelling.embedding);
        if (kept == Kept::Head)
            stored.erase(spelling.embedding);
        test::NaiveWeights renamed;
        for (auto& [name, tensor] : stored)
            renamed[spelling.renamed ? spelling.renamed(name) : name] = std::move(tensor);
        Json config = m_config;
        config["architectures"] = {spelling.architecture};
        if (sharded)
            test::writeShardedCheckpoint(folder(), config, renamed);
        else
            test::writeCheckpoint(folder(), config, renamed);
    }

    Json m_config;
    test::NaiveWeights m_weights;
};

void expectLogits(Engine& engine, const test::NaiveRows& expected,
                  const std::vector<text::TokenId>& ids)
{
    const auto forward = engine.forward(ids);
    ASSERT_TRUE(forward) << forward.error().message;
    const std::size_t width = expected.front().size();
    ASSERT_EQ(forward->logits.size(), expected.size() * width);
    for (std::size_t i = 0; i < forward->logits.size(); ++i)
        ASSERT_NEAR(forward->logits[i], expected[i / width][i % width], 1e-3) << i;
}

TEST_P(TiedWeightsTest, EitherNameServesBoth)
{
    const std::vector<text::TokenId> ids{3, 14, 15, 9, 26, 53, 58};
    const test::NaiveRows expected = test::naiveLogits(m_config, m_weights, ids);
    for (const bool sharded : {false, true}) {
        for (const Kept kept : {Kept::Embedding, Kept::Head, Kept::Both}) {
            SCOPED_TRACE((sharded ? "shards, kept " : "one file, kept ")
                         + std::to_string(static_cast<int>(kept)));
            std::filesystem::remove_all(folder());
            writeFiles(kept, sharded);
            const auto engine = load();
            ASSERT_NE(engine, nullptr);
            expectLogits(*engine, expected, ids);
            EXPECT_THAT(engine->notes(), IsEmpty());
        }
    }
}

TEST_P(TiedWeightsTest, OneOfTheTwoMustBeThere)
{
    const std::string& embedding = GetParam().embedding;
    m_weights.erase(embedding);
    test::writeCheckpoint(folder(), m_config, m_weights);
    const auto engine = tryLoad();
    ASSERT_FALSE(engine);
    EXPECT_THAT(engine.error().message, HasSubstr(embedding));
}

INSTANTIATE_TEST_SUITE_P(Families, TiedWeightsTest, testing::ValuesIn(spellings()),
                         [](const auto& spelling) { return spelling.param.name; });

// A new family must be added to the table above.
// The naive decoder does not support the blocks of these; model_reference_test compares them with
// HuggingFace transformers.
const std::set<std::string>& checkedByReferencesOnly()
{
    static const std::set<std::string> all{
        "Gemma4ForCausalLM",        "Gemma4ForConditionalGeneration",
        "Gemma4UnifiedForCausalLM", "Gemma4UnifiedForConditionalGeneration",
        "GptOssForCausalLM",        "GraniteMoeHybridForCausalLM",
        "NemotronHForCausalLM"};
    return all;
}

TEST(TiedWeightsTableTest, HoldsEveryArchitecture)
{
    std::set<std::string> tested = checkedByReferencesOnly();
    for (const Spelling& spelling : spellings())
        EXPECT_FALSE(checkedByReferencesOnly().contains(spelling.architecture))
            << spelling.architecture << " is checked here: take it off the list";
    for (const Spelling& spelling : spellings())
        tested.insert(spelling.architecture);
    const std::set<std::string> supported{
#define EP_FAMILY(architecture, function) #architecture,
#include "families/families.def"
#undef EP_FAMILY
    };
    EXPECT_EQ(tested, supported);
}

} // namespace
} // namespace ep::model

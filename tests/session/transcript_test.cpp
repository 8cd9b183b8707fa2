// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/transcript.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include "ep/json/conversation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace ep;
using session::ChatUse;
using testing::HasSubstr;

class PromptEncoderTest : public testing::Test {
protected:
    void SetUp() override
    {
        test::writeTinyModel(m_folder.path());
        auto tokenizer = text::Tokenizer::load(m_folder.path());
        ASSERT_TRUE(tokenizer);
        m_tokenizer = *tokenizer;
    }
    void writeTemplate(const std::string& text) const
    {
        std::ofstream(m_folder / "chat_template.jinja", std::ios::binary) << text;
    }
    // The ids decoded to text, including special tokens; or the error.
    std::string encoded(ChatUse use, const std::string& system = {}) const
    {
        session::RunRequest request;
        request.load.folder = m_folder.path();
        request.chat = use;
        request.system = system;
        const auto encoder = session::PromptEncoder::make(request);
        if (!encoder)
            return encoder.error().message.english();
        BatchSequence sequence{.prompt = "Hi", .response = {}};
        sequence.conversation = encoder->conversationOf(sequence);
        const auto ids = encoder->encode(*m_tokenizer, sequence);
        return ids ? m_tokenizer->decode(*ids, false) : ids.error().message.english();
    }

    test::TempFolder m_folder;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
};

TEST_F(PromptEncoderTest, WithoutATemplate)
{
    EXPECT_EQ(encoded(ChatUse::Off), "<|begin|>Hi");
    EXPECT_EQ(encoded(ChatUse::IfThere), "<|begin|>Hi");
    EXPECT_THAT(encoded(ChatUse::Always), HasSubstr("has no chat template"));
}

TEST_F(PromptEncoderTest, TheTemplateWritesTheSpecialTokensItself)
{
    writeTemplate(
        "{{ bos_token }}{% for m in messages %}[{{ m.role }}] {{ m.content }}{{ eos_token }}"
        "{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}");
    EXPECT_EQ(encoded(ChatUse::Off, "Be brief."), "<|begin|>Hi");
    const std::string chat = "<|begin|>[user] Hi<|end|>[assistant]";
    EXPECT_EQ(encoded(ChatUse::IfThere), chat);
    EXPECT_EQ(encoded(ChatUse::Always), chat);
    EXPECT_EQ(encoded(ChatUse::Always, "Be brief."),
              "<|begin|>[system] Be brief.<|end|>[user] Hi<|end|>[assistant]");
}

TEST_F(PromptEncoderTest, AConversationGoesThroughTheTemplateWithItsVariables)
{
    session::RunRequest request;
    request.load.folder = m_folder.path();
    request.conversations = {json::promptConversation("S", "Hi")};
    const auto without = session::PromptEncoder::make(request);
    ASSERT_FALSE(without);
    EXPECT_THAT(without.error().message, HasSubstr("which messages need"));

    writeTemplate("{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}{{ x }}{{ y }}");
    request.conversations[0].variables = R"({"x":1,"y":2})";
    request.template_variables = R"({"y":3})";
    const auto encoder = session::PromptEncoder::make(request);
    ASSERT_TRUE(encoder) << encoder.error().message;
    BatchSequence sequence{.prompt = "Hi", .response = {}};
    sequence.conversation = request.conversations[0];
    sequence.conversation = encoder->conversationOf(sequence);
    EXPECT_EQ(sequence.conversation.variables, R"({"x":1,"y":3})");
    const auto ids = encoder->encode(*m_tokenizer, sequence);
    ASSERT_TRUE(ids) << ids.error().message;
    EXPECT_EQ(m_tokenizer->decode(*ids, false), "[system]S[user]Hi13");
}

TEST_F(PromptEncoderTest, ABrokenTemplateIsNoMissingOne)
{
    writeTemplate("{% if %}");
    EXPECT_THAT(encoded(ChatUse::IfThere), HasSubstr("line 1"));
    writeTemplate("{{ raise_exception('Only poems.') }}");
    EXPECT_EQ(encoded(ChatUse::IfThere),
              "The model's chat template refuses these messages: Only poems.");
}

using ep::session::StopFilter;

struct StopCase {
    const char* name;
    std::vector<std::string> stops;
    std::vector<std::string> pieces;
    std::vector<std::string> shown; // after each piece, and at the end
    bool stopped;
};

class StopFilterTest : public testing::TestWithParam<StopCase> { };

TEST_P(StopFilterTest, ShowsWhatIsCertain)
{
    const StopCase& c = GetParam();
    StopFilter filter(c.stops);
    std::vector<std::string> shown;
    for (const std::string& piece : c.pieces)
        shown.push_back(filter.push(piece));
    shown.push_back(filter.flush());
    EXPECT_EQ(shown, c.shown);
    EXPECT_EQ(filter.stopped(), c.stopped);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, StopFilterTest,
    testing::Values(StopCase{"NoStops", {}, {"a", "b"}, {"a", "b", ""}, false},
                    StopCase{"EmptyOnesAreIgnored", {""}, {"a"}, {"a", ""}, false},
                    StopCase{"InOnePiece", {"stop"}, {"go on, stop now"}, {"go on, ", ""}, true},
                    StopCase{"NothingFollows", {"stop"}, {"stop", "more"}, {"", "", ""}, true},
                    StopCase{"AcrossPieces", {"\n\n"}, {"a\n", "\nb"}, {"a", "", ""}, true},
                    StopCase{"FalseAlarm", {"\n\n"}, {"a\n", "b"}, {"a", "\nb", ""}, false},
                    StopCase{"HeldUntilTheEnd", {"END"}, {"the EN"}, {"the ", "EN"}, false},
                    StopCase{"OverlapsItself", {"aab"}, {"aa", "a", "b"}, {"", "a", "", ""}, true},
                    StopCase{"FirstOfSeveral", {"world", "lo"}, {"hello world"}, {"hel", ""}, true},
                    StopCase{"LongestIsHeld", {"xyz", "yy"}, {"axy"}, {"a", "xy"}, false},
                    StopCase{"ManyBytes", {"é!"}, {"caf", "é", "!"}, {"caf", "", "", ""}, true}),
    [](const auto& tested) { return tested.param.name; });

} // namespace

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gguf_of_folder.h"
#include "quantized_fixture.h"

#include "ep/model/computed_model.h"
#include "ep/model/describe.h"
#include "ep/model/format.h"

#include <gmock/gmock.h>

#include <cstddef>
#include <vector>

// Models that are rounded to a format when they are loaded.
namespace ep::model {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RoundingTest : public QuantisedModelTest { };

// Compared with the unrounded weights: uses the bundled model and a text that it wrote itself,
// since random weights give no text that would survive rounding.
TEST_F(RoundingTest, PlainFoldersAreRoundedOnLoading)
{
    const auto wide = load({.folder = EP_DEMO_MODEL, .dtype = "f32"});
    ASSERT_TRUE(wide);
    const auto ids = tokens(generate(*wide, {.prompts = {{4094}}, .max_new_tokens = 30}));
    const struct {
        const char* dtype;
        double divergence;
    } kCases[] = {{"q8_0", 1e-3},  {"q6_k", 3e-3}, {"q5_k_m", 0.03}, {"q5_k_s", 0.03},
                  {"q5_1", 0.03},  {"q5_0", 0.03}, {"q4_k", 0.1},    {"q4_k_s", 0.1},
                  {"q4_1", 0.1},   {"q4_0", 0.1},  {"iq4_nl", 0.1},  {"iq4_xs", 0.1},
                  {"mxfp4", 0.3},  {"nvfp4", 0.2}, {"q3_k_l", 0.3},  {"q3_k_m", 0.4},
                  {"q3_k_s", 0.5}, {"q2_k", 3.0},  {"mlx8", 1e-3},   {"mlx6", 5e-3},
                  {"mlx5", 0.03},  {"mlx4", 0.1},  {"mlx3", 0.5},    {"fp8", 0.03}};
    const auto described = describeModel(EP_DEMO_MODEL);
    ASSERT_TRUE(described);
    for (const auto& c : kCases) {
        const auto narrow = load({.folder = EP_DEMO_MODEL, .dtype = c.dtype});
        ASSERT_TRUE(narrow);
        EXPECT_EQ(narrow->dtype(), formatName(c.dtype));
        EXPECT_TRUE(narrow->notes().empty()) << c.dtype; // nothing was rounded before
        EXPECT_EQ(narrow->facts().weight_bytes, computedIn(*described, c.dtype).weight_bytes)
            << c.dtype;
        EXPECT_THAT(narrow->facts().quantization, HasSubstr("rounded on loading"));
        EXPECT_LT(narrow->facts().weight_bytes, wide->facts().weight_bytes / 2);
        for (const std::size_t count : {30U, 10U}) {
            const std::vector<text::TokenId> some(ids.begin(),
                                                  ids.begin() + static_cast<std::ptrdiff_t>(count));
            EXPECT_LT(divergence(*narrow, *wide, some), c.divergence) << c.dtype;
        }
    }
}

// Weights that are stored in few bits may be rounded to more bits, or a second time to fewer; a
// note states either. A format under its own name changes nothing.
TEST_F(RoundingTest, RoundingAgainIsSaid)
{
    write({.hidden_size = 256, .intermediate_size = 512, .layers = 2, .heads = 4});
    const auto file = folder() / "stored.gguf";
    test::ggufOf(folder(), DType::Q4_1).write(file);
    const auto described = describeModel(file);
    const auto stored = load({.folder = file});
    ASSERT_TRUE(described && stored);
    EXPECT_EQ(described->format, "q4_1");
    const struct {
        const char* dtype;
        const char* note;
    } kCases[] = {{"q4_1", ""},
                  {"q8_0", "of the weights are stored in fewer bits (q4_1)"},
                  {"int8", "of the weights are stored in fewer bits (q4_1)"},
                  {"q4_0", "are rounded a second time, from q4_1 to q4_0"},
                  {"f16", "were dequantized to f16 on loading"}};
    for (const auto& c : kCases) {
        const auto model = load({.folder = file, .dtype = c.dtype});
        ASSERT_TRUE(model);
        EXPECT_EQ(model->dtype(), c.dtype);
        EXPECT_EQ(model->facts().weight_bytes, computedIn(*described, c.dtype).weight_bytes)
            << c.dtype;
        if (*c.note == '\0') {
            EXPECT_TRUE(model->notes().empty());
            EXPECT_EQ(model->facts().weight_bytes, stored->facts().weight_bytes);
        } else {
            ASSERT_FALSE(model->notes().empty()) << c.dtype;
            EXPECT_THAT(model->notes(), Contains(HasSubstr(c.note))) << c.dtype;
        }
        EXPECT_LT(divergence(*model, *stored, 10), 0.6) << c.dtype;
    }
    for (const SizedFormat& format : sizedFormats(*described)) {
        EXPECT_EQ(format.larger_than_stored, format.weight_bytes > described->facts.weight_bytes)
            << format.word;
    }
}

TEST_F(RoundingTest, MoreBytesThanStoredAreSaid)
{
    const auto described = describeModel(EP_DEMO_MODEL);
    ASSERT_TRUE(described);
    for (const SizedFormat& format : sizedFormats(*described))
        EXPECT_EQ(format.larger_than_stored, format.word == "f32") << format.word;
    EXPECT_THAT(load({.folder = EP_DEMO_MODEL, .dtype = "f32"})->notes(),
                ElementsAre(HasSubstr("of the weights are stored in fewer bits (bf16)")));
    EXPECT_THAT(load({.folder = EP_DEMO_MODEL, .dtype = "f16"})->notes(), IsEmpty());
}

// Some projections in one format, some in another, the rest as stored.
TEST_F(RoundingTest, LayersAndModulesHaveFormatsOfTheirOwn)
{
    const auto wide = load({.folder = EP_DEMO_MODEL, .dtype = "f32"});
    const auto all = load({.folder = EP_DEMO_MODEL, .dtype = "q8_0"});
    const auto some = load({.folder = EP_DEMO_MODEL, .dtype = "f32,layers.0=q8_0,down_proj=q6_k"});
    ASSERT_TRUE(wide && all && some);
    EXPECT_EQ(some->dtype(), "f32,layers.0=q8_0,down_proj=q6_k");
    EXPECT_THAT(some->facts().quantization, HasSubstr("rounded on loading: f32,layers.0=q8_0"));
    EXPECT_LT(some->facts().weight_bytes, wide->facts().weight_bytes);
    EXPECT_GT(some->facts().weight_bytes, all->facts().weight_bytes);
    const auto ids = tokens(generate(*wide, {.prompts = {{4094}}, .max_new_tokens = 20}));
    const double divergence1 = divergence(*some, *wide, ids);
    EXPECT_LT(divergence1, 5e-3);
    EXPECT_GT(divergence1, 0.0);
    const auto wrong = tryLoad({.folder = EP_DEMO_MODEL, .dtype = "layers.0=q9"});
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error().message, HasSubstr("The type \"q9\" is not known"));
    const auto nowhere = tryLoad({.folder = EP_DEMO_MODEL, .dtype = "layers.90-99=q8_0"});
    ASSERT_FALSE(nowhere);
    EXPECT_THAT(nowhere.error().message, HasSubstr("the model has 6 layers"));
}

} // namespace
} // namespace ep::model

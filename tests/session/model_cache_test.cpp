// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/model_cache.h"
#include "support/fake_engine.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace {

using namespace ep;
using session::ModelCache;
using testing::HasSubstr;

class ModelCacheTest : public testing::Test {
protected:
    ModelCacheTest()
    {
        test::writeTinyModel(m_folder.path());
        m_backend.openEngineLibrary = [this]() -> Result<std::shared_ptr<model::EngineLibrary>> {
            return std::shared_ptr<model::EngineLibrary>(m_library);
        };
        m_backend.availableMemory = [this] { return m_available; };
    }

    // The message of the refusal; empty if the model was loaded.
    std::string refusal(const session::PlanFn& plan, model::LoadRequest request = {})
    {
        request.folder = m_folder.path();
        ModelCache cache(m_backend);
        const auto loaded = cache.acquire(request, plan, [](double, const std::string&) {}, {});
        return loaded ? std::string() : loaded.error().message;
    }

    using Plan = Result<std::optional<model::GenerationPlan>>;
    static Plan small(const text::Tokenizer&)
    {
        return std::optional(
            model::GenerationPlan{.sequences = 1, .prompt_positions = 10, .new_positions = 10});
    }
    static Plan large(const text::Tokenizer&)
    {
        return std::optional(model::GenerationPlan{
            .sequences = 10'000, .prompt_positions = 10, .new_positions = 1'000'000'000});
    }
    static Plan none(const text::Tokenizer&) { return std::optional<model::GenerationPlan>(); }
    static Plan impossible(const text::Tokenizer&)
    {
        return Error{ErrorCode::InvalidInput, "too long"};
    }

    std::optional<std::int64_t> m_available;

private:
    test::TempFolder m_folder;
    std::shared_ptr<test::FakeEngineLibrary> m_library =
        std::make_shared<test::FakeEngineLibrary>(test::EngineScript{});
    session::Backend m_backend{};
};

TEST_F(ModelCacheTest, RefusesWhatDoesNotFit)
{
    m_available = 10'000; // the weights take about 110 kB
    EXPECT_THAT(refusal(small), HasSubstr("10.0 kB free"));
    EXPECT_THAT(refusal(small, {.device = "cpu", .dtype = "bf16"}), HasSubstr("needs"));
    EXPECT_EQ(refusal({}), ""); // without a check
    EXPECT_EQ(refusal(none), ""); // neither here
    EXPECT_EQ(refusal(impossible), "too long"); // refused before memory is checked
    EXPECT_EQ(refusal(small, {.device = "cuda"}), ""); // this device has its own memory

    m_available = 100'000'000;
    EXPECT_EQ(refusal(small), "");
    EXPECT_THAT(refusal(large), HasSubstr("100 MB free")); // the cache is too large

    m_available = std::nullopt; // unknown to the system
    EXPECT_EQ(refusal(large), "");
}

} // namespace

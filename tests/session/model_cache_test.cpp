// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/model_cache.h"
#include "support/fake_engine.h"
#include "support/gguf_tokenizer.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace ep;
namespace fs = std::filesystem;
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
        auto opened = cache.open(request);
        if (!opened)
            return opened.error().message.english();
        const auto loaded =
            cache.acquire(*std::move(opened), plan, [](double, const Message&) {}, {});
        return loaded ? std::string() : loaded.error().message.english();
    }

    using Plan = Result<std::optional<model::GenerationPlan>>;
    static Plan small(const text::Tokenizer&, const model::ModelConfig&)
    {
        return std::optional(
            model::GenerationPlan{.sequences = 1, .prompt_positions = 10, .new_positions = 10});
    }
    static Plan large(const text::Tokenizer&, const model::ModelConfig&)
    {
        return std::optional(model::GenerationPlan{
            .sequences = 10'000, .prompt_positions = 10, .new_positions = 1'000'000'000});
    }
    static Plan none(const text::Tokenizer&, const model::ModelConfig&)
    {
        return std::optional<model::GenerationPlan>();
    }
    static Plan impossible(const text::Tokenizer&, const model::ModelConfig&)
    {
        return Error{ErrorCode::InvalidInput, "too long"};
    }

    // Whether opening a loaded model opens its files.
    static bool opensFiles(const ModelCache& cache, const fs::path& model)
    {
        const auto opened = cache.open({.folder = model});
        EXPECT_TRUE(opened) << opened.error().message;
        return opened && opened->request.files != nullptr;
    }

    std::optional<std::int64_t> m_available;
    test::TempFolder m_folder;
    session::Backend m_backend{};

private:
    std::shared_ptr<test::FakeEngineLibrary> m_library =
        std::make_shared<test::FakeEngineLibrary>(test::EngineScript{});
};

TEST_F(ModelCacheTest, RefusesWhatDoesNotFit)
{
    m_available = 10'000; // the weights take about 110 kB
    EXPECT_THAT(refusal(small), HasSubstr("10.0 kB free"));
    EXPECT_THAT(refusal(small, {.device = "cpu", .dtype = "bf16"}), HasSubstr("needs"));
    EXPECT_EQ(refusal({}), ""); // without a check
    EXPECT_EQ(refusal(none), ""); // no check here either
    EXPECT_EQ(refusal(impossible), "too long"); // refused before memory is checked
    EXPECT_EQ(refusal(small, {.device = "cuda"}), ""); // this device has its own memory

    m_available = 100'000'000;
    EXPECT_EQ(refusal(small), "");
    EXPECT_THAT(refusal(large), HasSubstr("100 MB free")); // the cache is too large

    m_available = std::nullopt; // unknown to the system
    EXPECT_EQ(refusal(large), "");
}

TEST_F(ModelCacheTest, OpensTheFilesOfALoadedModelOnlyIfTheyChanged)
{
    const fs::path gguf = m_folder / "m.gguf";
    test::GgufWriter writer = test::smallGguf("llama", 1);
    test::writeTokenizer(writer, m_folder / "tokenizer.json");
    writer.write(gguf);
    for (const auto& [model, changing] :
         {std::pair(gguf, gguf), std::pair(m_folder.path(), m_folder / "config.json")}) {
        SCOPED_TRACE(model);
        ModelCache cache(m_backend);
        auto first = cache.open({.folder = model});
        ASSERT_TRUE(first) << first.error().message;
        ASSERT_TRUE(cache.acquire(*std::move(first), {}, [](double, const Message&) {}, {}));
        EXPECT_FALSE(opensFiles(cache, model));
        fs::last_write_time(changing, fs::file_time_type());
        EXPECT_TRUE(opensFiles(cache, model));
        fs::remove(changing);
        EXPECT_FALSE(cache.open({.folder = model}));
    }
}

} // namespace

// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ep::store {
namespace {

using test::makeSampleRun;
using test::TempFolder;
using testing::ElementsAre;

class StoreList : public testing::Test {
protected:
    void SetUp() override
    {
        auto store = Store::open(m_folder / "runs.db");
        ASSERT_TRUE(store);
        m_store = std::move(*store);
        add("aa-1", 100, [](RunInfo& info) { info.prompt = "Tell me of Foxes"; });
        add("aa-2", 300, [](RunInfo& info) {
            info.response = "a 100% sure_thing";
            info.model.name = "Llama-3";
            info.tags = {"nightly", "fox-hunt"};
        });
        add("b", 200, [](RunInfo& info) { info.experiment = "Warm Foxglove"; });
        add("b-longer", 200, [](RunInfo& info) { info.tags = {"nightly build", "back\\slash"}; });
    }

    void add(const std::string& id, std::int64_t when, const std::function<void(RunInfo&)>& change)
    {
        ep::Run run = makeSampleRun({.id = id, .created_at_ms = when, .tokens = 1, .layers = 1});
        run.info.tags = {};
        change(run.info);
        ASSERT_TRUE(m_store->saveRun(run));
    }

    std::vector<std::string> ids(const RunFilter& filter, std::int64_t limit = 0)
    {
        std::vector<std::string> found;
        const auto runs = m_store->list(filter, limit);
        EXPECT_TRUE(runs) << runs.error().message;
        for (const RunSummary& run : *runs)
            found.push_back(run.info.id);
        return found;
    }

    TempFolder m_folder;
    std::unique_ptr<Store> m_store;
};

TEST_F(StoreList, NewestFirst)
{
    EXPECT_THAT(ids({}), ElementsAre("aa-2", "b-longer", "b", "aa-1"));
    EXPECT_THAT(ids({}, 2), ElementsAre("aa-2", "b-longer"));
}

TEST_F(StoreList, SummariesAreThoseOfTheRuns)
{
    const auto runs = m_store->list({}, 1);
    ASSERT_TRUE(runs);
    const ep::Run run = *m_store->load("aa-2");
    EXPECT_EQ(runs->front(), (RunSummary{run.info, run.metrics}));
}

TEST_F(StoreList, FindsTextInEveryField)
{
    EXPECT_THAT(ids({.text = "fox"}), ElementsAre("aa-2", "b", "aa-1"));
    EXPECT_THAT(ids({.text = "SURE"}), ElementsAre("aa-2"));
    EXPECT_THAT(ids({.text = "llama-3"}), ElementsAre("aa-2"));
    EXPECT_THAT(ids({.text = "no such text"}), ElementsAre());
}

TEST_F(StoreList, TextHasNoSpecialLetters)
{
    EXPECT_THAT(ids({.text = "0% s"}), ElementsAre("aa-2"));
    EXPECT_THAT(ids({.text = "a%s"}), ElementsAre());
    EXPECT_THAT(ids({.text = "e_t"}), ElementsAre("aa-2"));
    EXPECT_THAT(ids({.text = "e_l"}), ElementsAre());
    EXPECT_THAT(ids({.text = "k\\s"}), ElementsAre("b-longer"));
    EXPECT_THAT(ids({.text = "'"}), ElementsAre());
}

TEST_F(StoreList, FiltersByModelAndTag)
{
    EXPECT_THAT(ids({.models = {"Llama-3"}}), ElementsAre("aa-2"));
    EXPECT_THAT(ids({.models = {"Llama"}}), ElementsAre());
    EXPECT_THAT(ids({.models = {"/models/tiny-llama"}}, 1), ElementsAre("aa-2"));
    EXPECT_THAT(ids({.tags = {"nightly"}}), ElementsAre("aa-2"));
    EXPECT_THAT(ids({.text = "hunt", .tags = {"nightly build"}}), ElementsAre());
}

TEST_F(StoreList, ResolvesABeginningOfAnId)
{
    EXPECT_EQ(*m_store->resolveId("aa-1"), "aa-1");
    EXPECT_EQ(*m_store->resolveId("b-"), "b-longer");
    EXPECT_EQ(*m_store->resolveId("b"), "b") << "a whole id wins";
    const auto ambiguous = m_store->resolveId("aa");
    ASSERT_FALSE(ambiguous);
    EXPECT_EQ(ambiguous.error().code, ErrorCode::InvalidInput);
    EXPECT_THAT(ambiguous.error().message, testing::HasSubstr("aa-2"));
    EXPECT_EQ(m_store->resolveId("c").error().code, ErrorCode::NotFound);
    EXPECT_EQ(m_store->resolveId("%").error().code, ErrorCode::NotFound);
    EXPECT_EQ(m_store->resolveId("").error().code, ErrorCode::InvalidInput);
}

} // namespace
} // namespace ep::store

// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database.h"
#include "support/sample_run.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace ep::store {
namespace {

using test::makeSampleRun;
using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

class StoreChange : public testing::Test {
protected:
    void SetUp() override
    {
        auto store = Store::open(m_file);
        ASSERT_TRUE(store);
        m_store = std::move(*store);
        for (std::int64_t i = 0; i < 4; ++i) {
            ep::Run run = makeSampleRun({.id = std::string(1, static_cast<char>('a' + i)),
                                         .created_at_ms = 1'000 + 100 * i,
                                         .tokens = 1 + static_cast<int>(i) * 8});
            if (i != 1)
                run.info.tags.clear();
            ASSERT_TRUE(m_store->saveRun(run));
        }
    }

    std::vector<std::string> ids() const
    {
        std::vector<std::string> found;
        const auto runs = m_store->list();
        EXPECT_TRUE(runs) << runs.error().message;
        for (const RunSummary& run : *runs)
            found.push_back(run.info.id);
        return found;
    }

    void execute(const std::string& sql)
    {
        auto database = Database::open(m_file, Database::Access::ReadWrite);
        ASSERT_TRUE(database);
        ASSERT_TRUE((*database)->execute(sql, "test"));
    }

    std::int64_t value(const std::string& sql)
    {
        auto database = Database::open(m_file, Database::Access::ReadOnly);
        return database ? *(*database)->queryInteger(sql, "test") : -1;
    }

    TempFolder m_folder;
    std::filesystem::path m_file = m_folder / "runs.db";
    std::unique_ptr<Store> m_store;
};

TEST_F(StoreChange, EditsWhatIsGiven)
{
    ASSERT_TRUE(
        m_store->edit("b", {.title = "New", .experiment = "", .add_tags = {"x", "sample"}}));
    RunInfo info = m_store->load("b")->info;
    EXPECT_EQ(info.title, "New");
    EXPECT_EQ(info.notes, makeSampleRun().info.notes);
    EXPECT_EQ(info.experiment, "");
    EXPECT_THAT(info.tags, ElementsAre("sample", "two words", "x"));
    ASSERT_TRUE(m_store->edit("b", {.notes = "n", .remove_tags = {"sample", "none"}}));
    info = m_store->load("b")->info;
    EXPECT_THAT(info.tags, ElementsAre("two words", "x"));
    const std::vector<Annotation> annotations{{.begin_ns = 1, .end_ns = 2, .text = "here"}};
    ASSERT_TRUE(m_store->edit("b", {.annotations = annotations}));
    ASSERT_TRUE(m_store->edit("b", {.tags = std::vector<std::string>{"only"}}));
    info = m_store->load("b")->info;
    EXPECT_THAT(info.tags, ElementsAre("only"));
    EXPECT_EQ(info.annotations, annotations) << "what another edit leaves alone";
    EXPECT_EQ(info.title, "New");
    EXPECT_EQ(m_store->edit("nope", {.title = "x"}).error().code, ErrorCode::NotFound);
}

TEST_F(StoreChange, ARunThatGoesOnIsLeftAlone)
{
    ASSERT_TRUE(m_store->beginRun(makeSampleRun({.id = "going"}).info));
    for (const Status& done :
         {m_store->edit("going", {.title = "x"}), m_store->moveToTrash({"a", "going"})}) {
        ASSERT_FALSE(done);
        EXPECT_THAT(done.error().message, HasSubstr("still being recorded"));
    }
    EXPECT_THAT(ids(), ElementsAre("going", "d", "c", "b", "a"));
}

TEST_F(StoreChange, TheTrashHidesAndGivesBack)
{
    ASSERT_TRUE(m_store->moveToTrash({"a", "c"}));
    EXPECT_THAT(ids(), ElementsAre("d", "b"));
    EXPECT_EQ(m_store->resolveId("a").error().code, ErrorCode::NotFound);
    EXPECT_EQ(m_store->size()->runs.size(), 2U);
    ASSERT_TRUE(m_store->emptyTrash());
    ASSERT_TRUE(m_store->restore({"a"})) << "what this process deleted can be brought back";
    EXPECT_THAT(ids(), ElementsAre("d", "b", "a"));
    EXPECT_TRUE(*m_store->load("a") == *m_store->load("a"));
}

TEST_F(StoreChange, TrashIsAllOrNothing)
{
    EXPECT_EQ(m_store->moveToTrash({"a", "nope"}).error().code, ErrorCode::NotFound);
    EXPECT_THAT(ids(), ElementsAre("d", "c", "b", "a"));
    EXPECT_EQ(m_store->restore({"a"}).error().code, ErrorCode::NotFound) << "not in the trash";
}

TEST_F(StoreChange, TrashOfEndedProcessesIsEmptied)
{
    ASSERT_TRUE(m_store->moveToTrash({"a", "d"}));
    execute("UPDATE profiling_runs SET trash_mark = 'another life' WHERE id = 'd'");
    std::vector<double> steps;
    ASSERT_TRUE(
        m_store->emptyTrash({}, [&](double done, const Message&) { steps.push_back(done); }));
    EXPECT_THAT(steps, ElementsAre(0.0));
    EXPECT_EQ(value("SELECT count(*) FROM profiling_runs WHERE id = 'd'"), 0);
    EXPECT_EQ(value("SELECT count(*) FROM pragma_foreign_key_check"), 0);
    EXPECT_EQ(value("SELECT count(*) FROM tokens WHERE run_id = 'd'"), 0);
    EXPECT_EQ(m_store->restore({"d"}).error().code, ErrorCode::NotFound);
    EXPECT_TRUE(m_store->restore({"a"}));
}

TEST_F(StoreChange, EmptyingTheTrashCanBeStopped)
{
    ASSERT_TRUE(m_store->moveToTrash({"d"}));
    execute("UPDATE profiling_runs SET trash_mark = 'another life'");
    const CancelToken cancel;
    cancel.cancel();
    EXPECT_EQ(m_store->emptyTrash(cancel).error().code, ErrorCode::Cancelled);
    EXPECT_EQ(value("SELECT count(*) FROM profiling_runs WHERE id = 'd'"), 1);
    ASSERT_TRUE(m_store->emptyTrash());
    EXPECT_EQ(value("SELECT count(*) FROM profiling_runs WHERE id = 'd'"), 0);
}

TEST_F(StoreChange, SelectsWhatACleanUpTakes)
{
    EXPECT_THAT(*m_store->select({.keep_last = 1}), ElementsAre("c", "b", "a"));
    EXPECT_THAT(*m_store->select({.before_ms = 1'200}), ElementsAre("b", "a"));
    EXPECT_THAT(*m_store->select({.only_untagged = true}), ElementsAre("d", "c", "a"));
    EXPECT_THAT(*m_store->select({.keep_last = 2, .before_ms = 1'200, .only_untagged = true}),
                ElementsAre("a"));
    EXPECT_THAT(*m_store->select({.keep_last = 9}), ElementsAre());
    RunInfo going = makeSampleRun({.id = "going", .created_at_ms = 1}).info;
    ASSERT_TRUE(m_store->beginRun(going));
    EXPECT_THAT(*m_store->select({.before_ms = 1'100}), ElementsAre("a"));
}

TEST_F(StoreChange, KnowsTheSizes)
{
    const auto size = m_store->size();
    ASSERT_TRUE(size) << size.error().message;
    EXPECT_GT(size->file_bytes, 50'000);
    ASSERT_EQ(size->runs.size(), 4U);
    EXPECT_EQ(size->runs[0].id, "d");
    EXPECT_GT(*size->runs[0].bytes, 20'000);
    EXPECT_GT(*size->runs[3].bytes, 0);
    ASSERT_TRUE(m_store->beginRun(makeSampleRun({.id = "going"}).info));
    EXPECT_EQ(m_store->size()->runs.back().bytes, std::nullopt);
}

TEST_F(StoreChange, VacuumGivesRoomBack)
{
    ASSERT_TRUE(m_store->remove("d"));
    EXPECT_GT(m_store->size()->free_bytes, 0);
    double last = -1.0;
    const Status done =
        m_store->vacuum({}, [&](double fraction, const Message&) { last = fraction; });
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(last, 1.0);
    EXPECT_EQ(m_store->size()->free_bytes, 0);
    EXPECT_EQ(ids().size(), 3U);
    EXPECT_EQ(value("SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
}

TEST_F(StoreChange, OthersSeeThatSomethingChanged)
{
    auto other = Store::open(m_file);
    ASSERT_TRUE(other);
    const std::int64_t before = *(*other)->dataVersion();
    EXPECT_EQ(*(*other)->dataVersion(), before);
    ASSERT_TRUE(m_store->edit("a", {.title = "x"}));
    EXPECT_NE(*(*other)->dataVersion(), before);
}

TEST_F(StoreChange, TheOverviewIsTheRunWithoutItsSpans)
{
    const auto overview = m_store->overview("c");
    ASSERT_TRUE(overview) << overview.error().message;
    const ep::Run whole = *m_store->load("c");
    ep::Run expected = whole;
    expected.trace.layers.clear();
    expected.trace.components.clear();
    expected.trace.operations.clear();
    EXPECT_TRUE(overview->run == expected);
    ASSERT_EQ(overview->totals.size(), 2U * 12U);
    Nanoseconds time = 0;
    double energy = 0.0;
    for (const Span& span : whole.trace.components) {
        time += span.time.duration_ns();
        energy += span.energy_mj->value;
    }
    for (const ComponentTotal& total : overview->totals) {
        time -= total.sum.duration_ns;
        energy -= total.sum.energy_mj->value;
        EXPECT_EQ(total.tokens, 17);
        EXPECT_EQ(total.sum.provenance, Provenance::Attributed);
    }
    EXPECT_EQ(time, 0);
    EXPECT_NEAR(energy, 0.0, 1e-9);
}

TEST_F(StoreChange, OneStepIsReadByItself)
{
    const auto step = m_store->steps("c", {3, 4});
    ASSERT_TRUE(step) << step.error().message;
    RunTrace expected;
    const ep::Run whole = *m_store->load("c");
    const auto ofStep = [](const auto& span) { return span.token == 3; };
    std::copy_if(whole.trace.layers.begin(), whole.trace.layers.end(),
                 std::back_inserter(expected.layers), ofStep);
    std::copy_if(whole.trace.components.begin(), whole.trace.components.end(),
                 std::back_inserter(expected.components), ofStep);
    std::copy_if(whole.trace.operations.begin(), whole.trace.operations.end(),
                 std::back_inserter(expected.operations), ofStep);
    EXPECT_EQ(expected.layers.size(), 2U);
    EXPECT_TRUE(*step == expected);
    EXPECT_TRUE(m_store->steps("c", {999, 1000})->layers.empty());
}

TEST_F(StoreChange, ReadingCanBeCutShort)
{
    ASSERT_TRUE(m_store->saveRun(makeSampleRun({.id = "long", .tokens = 200})));
    const CancelToken cancel;
    cancel.cancel();
    const auto run = m_store->load("long", cancel);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::Cancelled);
    EXPECT_TRUE(m_store->load("long")) << "the next reading is not cut short";
}

} // namespace
} // namespace ep::store

// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/store_writer.h"
#include "support/sample_run.h"
#include "support/tiny_model.h"

#include "ep/core/uuid.h"
#include "ep/session/privacy.h"
#include "ep/store/store.h"

#include <QProcess>

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace {

using namespace ep;
using namespace std::chrono_literals;
using session::StoreWriter;
using store::Store;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class StoreWriterTest : public testing::Test {
protected:
    StoreWriterTest()
        : m_folder(std::filesystem::temp_directory_path() / ("ep-writer-" + makeUuid()))
        , m_run(test::makeSampleRun())
    {
        std::filesystem::create_directories(m_folder);
        m_begun = m_run.info;
        m_begun.status = RunStatus::Running;
    }
    ~StoreWriterTest() override
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }

    std::filesystem::path database() const { return m_folder / "runs.db"; }

    // The run as another process sees it; nothing while it does not exist.
    std::optional<ep::Run> stored() const
    {
        if (!std::filesystem::exists(database()))
            return std::nullopt;
        auto store = Store::open(database(), Store::Mode::ReadOnly);
        if (!store)
            return std::nullopt;
        auto run = (*store)->load(m_run.info.id);
        if (!run)
            return std::nullopt;
        return std::move(*run);
    }

    std::filesystem::path m_folder;
    ep::Run m_run;
    RunInfo m_begun;
};

TEST_F(StoreWriterTest, SavesTheWholeRun)
{
    StoreWriter writer(database());
    writer.begin(m_begun);
    for (const TokenSpan& token : m_run.trace.tokens)
        writer.add(token);
    const Status status = writer.finish(m_run);
    ASSERT_TRUE(status.has_value()) << status.error().message;
    EXPECT_EQ(stored(), m_run);
}

TEST_F(StoreWriterTest, SavesARunThatWasNeverBegun)
{
    StoreWriter writer(database());
    writer.add(m_run.trace.samples.front());
    const Status status = writer.finish(m_run);
    ASSERT_TRUE(status.has_value()) << status.error().message;
    EXPECT_EQ(stored(), m_run);
}

TEST_F(StoreWriterTest, KeepsWhatCameBeforeTheRunBegan)
{
    {
        StoreWriter writer(database());
        writer.add(m_run.trace.samples.front());
        writer.begin(m_begun);
    }
    const auto seen = stored();
    ASSERT_TRUE(seen.has_value());
    EXPECT_THAT(seen->trace.samples, SizeIs(1));
}

TEST_F(StoreWriterTest, WritesHashesInPlaceOfTexts)
{
    {
        StoreWriter writer(database(), StoreWriter::Texts::Hashed);
        writer.begin(m_begun);
        writer.add(m_run.trace.tokens.front());
    }
    const auto begun = stored();
    ASSERT_TRUE(begun.has_value());
    EXPECT_EQ(begun->info.prompt, session::hashedText(m_begun.prompt));
    ASSERT_THAT(begun->trace.tokens, SizeIs(1));
    EXPECT_THAT(begun->trace.tokens.front().text, IsEmpty());

    StoreWriter writer(database(), StoreWriter::Texts::Hashed);
    ASSERT_TRUE(writer.finish(m_run));
    const auto finished = stored();
    ASSERT_TRUE(finished.has_value());
    EXPECT_EQ(finished->info.prompt, session::hashedText(m_run.info.prompt));
    EXPECT_THAT(finished->trace.tokens.front().text, IsEmpty());
}

TEST_F(StoreWriterTest, CommitsWhatIsThereWhileTheRunGoesOn)
{
    StoreWriter writer(database());
    writer.begin(m_begun);
    for (const TokenSpan& token : m_run.trace.tokens)
        writer.add(token);
    for (const PowerSample& sample : m_run.trace.samples)
        writer.add(sample);
    std::optional<ep::Run> seen;
    constexpr int kLooks = 600;
    for (int look = 0; look < kLooks && !(seen && !seen->trace.tokens.empty()); ++look) {
        std::this_thread::sleep_for(100ms);
        seen = stored();
    }
    ASSERT_TRUE(seen.has_value());
    EXPECT_EQ(seen->info.status, RunStatus::Running);
    EXPECT_THAT(seen->trace.tokens, SizeIs(m_run.trace.tokens.size()));
    EXPECT_THAT(seen->trace.samples, SizeIs(m_run.trace.samples.size()));
}

TEST_F(StoreWriterTest, DiscardTakesTheRunBack)
{
    StoreWriter writer(database());
    writer.begin(m_begun);
    writer.add(m_run.trace.tokens.front());
    writer.discard();
    ASSERT_TRUE(std::filesystem::exists(database()));
    EXPECT_FALSE(stored().has_value());
}

TEST_F(StoreWriterTest, LeftAloneTheRunStaysBehindUnfinished)
{
    {
        StoreWriter writer(database());
        writer.begin(m_begun);
        writer.add(m_run.trace.tokens.front());
    }
    const auto seen = stored();
    ASSERT_TRUE(seen.has_value());
    EXPECT_NE(seen->info.status, RunStatus::Complete);
    EXPECT_THAT(seen->trace.tokens, SizeIs(1));
}

TEST_F(StoreWriterTest, SaysWhyItCouldNotSave)
{
    std::ofstream(database()) << "this is a text, not a database, and long enough to show it";
    StoreWriter writer(database());
    writer.begin(m_begun);
    writer.add(m_run.trace.tokens.front());
    const Status status = writer.finish(m_run);
    ASSERT_FALSE(status.has_value());
    EXPECT_THAT(status.error().message, HasSubstr("runs.db"));
}

TEST_F(StoreWriterTest, SavesWhenTheDatabaseComesBackBeforeTheEnd)
{
    const std::filesystem::path away = m_folder / "away";
    std::ofstream(database()) << "in the way: not a database, and long enough to show that it is";
    StoreWriter writer(database());
    writer.begin(m_begun);
    writer.add(m_run.trace.tokens.front());
    std::filesystem::rename(database(), away);
    const Status status = writer.finish(m_run);
    ASSERT_TRUE(status.has_value()) << status.error().message;
    EXPECT_EQ(stored(), m_run);
}

// When a process dies during a run, everything that the store had survives: tokens that were
// complete become part of it while the run goes on.

TEST(Crash, LeavesTheCompleteTokensBehind)
{
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("ep-crash-" + makeUuid());
    test::writeTinyModel(folder / "model");
    const std::filesystem::path database = folder / "runs.db";

    QProcess child;
    child.start(QStringLiteral(EP_CRASH_CHILD),
                {QString::fromStdString(database.string()),
                 QString::fromStdString((folder / "model").string())});
    ASSERT_TRUE(child.waitForStarted());
    int last = -1;
    const auto lastToken = [&] {
        while (child.canReadLine())
            last = child.readLine().trimmed().toInt();
        return last;
    };
    const auto waitForToken = [&](int token) {
        constexpr int kPatienceMs = 60'000;
        while (lastToken() < token)
            ASSERT_TRUE(child.waitForReadyRead(kPatienceMs));
    };
    waitForToken(20);
    const auto seen = static_cast<std::size_t>(lastToken());
    const auto stored = [&]() -> std::size_t {
        const auto store = store::Store::open(database, store::Store::Mode::ReadOnly);
        const auto runs = store ? (*store)->list() : store.error();
        const auto run = runs && runs->size() == 1 ? (*store)->load(runs->front().info.id)
                                                   : Error{ErrorCode::NotFound, "no run yet"};
        return run ? run->trace.tokens.size() : 0;
    };
    while (child.state() == QProcess::Running && stored() <= seen)
        child.waitForReadyRead(50);
    ASSERT_EQ(child.state(), QProcess::Running);
    child.kill();
    ASSERT_TRUE(child.waitForFinished());

    auto store = store::Store::open(database);
    ASSERT_TRUE(store.has_value()) << store.error().message;
    const auto runs = (*store)->list();
    ASSERT_TRUE(runs.has_value());
    ASSERT_THAT(*runs, SizeIs(1));
    EXPECT_EQ(runs->front().info.status, RunStatus::Interrupted);
    EXPECT_EQ(runs->front().info.prompt, "Once");
    const auto run = (*store)->load(runs->front().info.id);
    ASSERT_TRUE(run.has_value()) << run.error().message;
    ASSERT_GT(run->trace.tokens.size(), seen);
    EXPECT_EQ(run->trace.tokens.front().text, "t");
    EXPECT_FALSE(run->trace.samples.empty());

    store->reset();
    std::filesystem::remove_all(folder);
}

} // namespace

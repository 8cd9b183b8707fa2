// SPDX-License-Identifier: GPL-3.0-or-later
// When a process dies during a run, everything that the store had survives: tokens that were
// complete become part of it while the run goes on.
#include "support/tiny_model.h"

#include "ep/core/uuid.h"
#include "ep/store/store.h"

#include <QProcess>

#include <gmock/gmock.h>

#include <filesystem>

namespace {

using namespace ep;
using testing::SizeIs;

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

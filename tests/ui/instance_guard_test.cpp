// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/wait_until.h"
#include "window/instance_guard.h"

#include <QFile>
#include <QLocalServer>
#include <QTemporaryDir>
#include <QTest>

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace ep::ui;
using namespace Qt::Literals::StringLiterals;

class InstanceGuardTest : public testing::Test {
protected:
    std::filesystem::path database(const char* name) const
    {
        return std::filesystem::path(folder.path().toStdString()) / name;
    }

    // Starts like a second process: its wait must not block the first one's event loop.
    bool secondStart(const std::filesystem::path& file, const QString& path)
    {
        std::atomic<bool> done = false;
        bool handed = false;
        std::thread other([&] {
            handed = InstanceGuard(file).handOver(path);
            done = true;
        });
        EXPECT_TRUE(ep::test::waitUntil([&] { return done.load(); }));
        other.join();
        return handed;
    }

    QTemporaryDir folder;
};

TEST_F(InstanceGuardTest, NobodyIsThereAtFirst)
{
    EXPECT_FALSE(InstanceGuard(database("runs.db")).handOver({}));
}

TEST_F(InstanceGuardTest, TheSecondHandsOverToTheFirst)
{
    InstanceGuard first(database("runs.db"));
    QStringList asked;
    QObject::connect(&first, &InstanceGuard::asked, [&](const QString& path) { asked << path; });
    ASSERT_TRUE(first.listen());
    EXPECT_TRUE(secondStart(database("./runs.db"), u"/a run, ü.eprun"_s));
    EXPECT_TRUE(secondStart(database("runs.db"), {}));
    ASSERT_TRUE(ep::test::waitUntil([&] { return asked.size() == 2; }));
    EXPECT_EQ(asked, QStringList({u"/a run, ü.eprun"_s, QString()}));
}

TEST_F(InstanceGuardTest, AnotherDatabaseHasAWindowOfItsOwn)
{
    InstanceGuard first(database("runs.db"));
    ASSERT_TRUE(first.listen());
    EXPECT_FALSE(secondStart(database("other.db"), {}));
}

TEST_F(InstanceGuardTest, WhoeverDoesNotAnswerIsNotWaitedForForever)
{
    const InstanceGuard names(database("runs.db"));
    QLocalServer silent; // accepts, but never replies
    ASSERT_TRUE(silent.listen(names.name()));
    EXPECT_FALSE(secondStart(database("runs.db"), {}));
}

TEST_F(InstanceGuardTest, ASocketThatACrashLeftIsTakenOver)
{
    const InstanceGuard names(database("runs.db"));
    QString path;
    {
        QLocalServer server;
        ASSERT_TRUE(server.listen(names.name()));
        path = server.fullServerName();
    }
    // Bound but never unlinked, as a killed process leaves it.
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray name = QFile::encodeName(path);
    ASSERT_LT(static_cast<std::size_t>(name.size()), sizeof address.sun_path);
    std::copy(name.begin(), name.end(), address.sun_path);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_GE(socket, 0);
    ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(socket);

    InstanceGuard next(database("runs.db"));
    EXPECT_FALSE(next.handOver({}));
    EXPECT_TRUE(next.listen());
    EXPECT_TRUE(secondStart(database("runs.db"), {}));
}

} // namespace

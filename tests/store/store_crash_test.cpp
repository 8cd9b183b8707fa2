// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sample_run.h"
#include "support/sound_database.h"
#include "support/temp_folder.h"

#include "ep/store/store.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace ep::store {
namespace {

namespace fs = std::filesystem;
using test::makeSampleRun;
using test::TempFolder;

constexpr int kTokens = 6; // in one run of the recorder

// EP_CRASH_KILLS=200 selects the long form.
int killsWanted()
{
    const char* wanted = std::getenv("EP_CRASH_KILLS");
    return wanted ? std::atoi(wanted) : 6;
}

// What the recorder had confirmed when it died.
struct Confirmed {
    std::map<std::string, int> tokens; // in runs still in progress
    std::set<std::string> saved;
};

// Starts the recorder, kills it after some lines and some microseconds, and reads its output.
void killOnce(const fs::path& database, int lines, int microseconds, Confirmed& confirmed)
{
    int ends[2] = {-1, -1};
    ASSERT_EQ(::pipe(ends), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    std::string program = EP_CRASH_RECORDER;
    std::string file = database.string();
    char* arguments[] = {program.data(), file.data(), nullptr};
    pid_t child = -1;
    const int started =
        ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    ASSERT_EQ(started, 0) << program;
    FILE* out = ::fdopen(ends[0], "r");
    std::string text;
    int c = 0;
    for (int seen = 0; seen < lines && (c = std::fgetc(out)) != EOF;) {
        text += static_cast<char>(c);
        seen += c == '\n' ? 1 : 0;
    }
    ::usleep(static_cast<useconds_t>(microseconds));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the recorder ended by itself";
    while ((c = std::fgetc(out)) != EOF)
        text += static_cast<char>(c);
    std::fclose(out);

    std::istringstream words(text);
    for (std::string line; std::getline(words, line) && !words.eof();) { // skips a cut line
        std::istringstream parts(line);
        std::string what;
        std::string id;
        parts >> what >> id;
        if (what == "saved")
            confirmed.saved.insert(id);
        else
            parts >> confirmed.tokens[id];
    }
}

void expectAllThere(const fs::path& database, const Confirmed& confirmed)
{
    auto store = Store::open(database);
    ASSERT_TRUE(store) << store.error().message;
    test::expectSound(database);
    for (const std::string& id : confirmed.saved) {
        const auto run = (*store)->load(id);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_TRUE(*run == makeSampleRun({.id = id, .tokens = kTokens})) << id;
    }
    for (const auto& [id, tokens] : confirmed.tokens) {
        if (confirmed.saved.contains(id))
            continue;
        const auto run = (*store)->load(id);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_GE(static_cast<int>(run->trace.tokens.size()), tokens) << id;
        // Or it was saved, and the process was killed before it could report that.
        EXPECT_TRUE(run->info.status == RunStatus::Interrupted
                    || run->info.status == RunStatus::Complete);
    }
    const auto runs = (*store)->list();
    ASSERT_TRUE(runs);
    for (const RunSummary& run : *runs)
        EXPECT_NE(run.info.status, RunStatus::Running) << run.info.id;
}

TEST(StoreCrash, WhatWasConfirmedIsThereAfterEveryKill)
{
    const TempFolder folder;
    const fs::path database = folder / "runs.db";
    std::mt19937 random(
        20'261'121); // NOLINT: the same moments each time, as far as the machine goes
    for (int i = 0; i < killsWanted(); ++i) {
        SCOPED_TRACE(i);
        Confirmed confirmed;
        const int lines = static_cast<int>(random() % 12);
        const int microseconds = static_cast<int>(random() % 20'000);
        killOnce(database, lines, microseconds, confirmed);
        if (!HasFatalFailure() && fs::exists(database))
            expectAllThere(database, confirmed);
        if (HasFailure())
            return;
    }
}

} // namespace
} // namespace ep::store

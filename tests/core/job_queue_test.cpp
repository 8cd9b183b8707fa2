// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/job_queue.h"
#include "ep/core/start_thread.h"

#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using ep::JobQueue;
using testing::ElementsAre;

TEST(JobQueue, RunsJobsInTheirOrderOnAnotherThread)
{
    JobQueue jobs;
    std::vector<int> done;
    std::atomic<bool> here = false;
    const auto caller = std::this_thread::get_id();
    for (int i = 0; i < 3; ++i) {
        jobs.start([&, i] {
            done.push_back(i);
            here = here || std::this_thread::get_id() == caller;
        });
    }
    jobs.waitForDone();
    EXPECT_THAT(done, ElementsAre(0, 1, 2));
    EXPECT_FALSE(here);
    jobs.start([&] { done.push_back(3); }); // again on its own thread
    jobs.waitForDone();
    EXPECT_THAT(done, ElementsAre(0, 1, 2, 3));
}

TEST(JobQueue, DropsWhatHasNotBegun)
{
    std::promise<void> begun;
    std::promise<void> go;
    std::vector<int> done;
    {
        JobQueue jobs;
        jobs.start([&] {
            begun.set_value();
            go.get_future().wait();
            done.push_back(0);
        });
        jobs.start([&] { done.push_back(1); });
        begun.get_future().wait();
        jobs.clear();
        jobs.start([&] { done.push_back(2); });
        go.set_value();
        jobs.waitForDone();
        EXPECT_THAT(done, ElementsAre(0, 2));
    }
    const JobQueue unused; // can be destroyed without ever having had a thread
}

TEST(CheckThreads, CountsThreadsThatRunAtTheSameTime)
{
    EXPECT_TRUE(ep::checkThreads(0));
    EXPECT_TRUE(ep::checkThreads(20));
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// In a process that runs out of address space: threads need some for their stacks.
TEST(CheckThreads, SaysThatAThreadCannotStart)
{
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const rlimit none{.rlim_cur = 0, .rlim_max = 0};
        ::setrlimit(RLIMIT_AS, &none);
        const ep::Status status = ep::checkThreads(100);
        bool ran = false;
        JobQueue jobs;
        jobs.start([&] { ran = true; });
        jobs.waitForDone();
        ::_exit(!status && status.error() == ep::cannotStartThread() && ran ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}
#endif

} // namespace

// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/current_operation.h"
#include "record/outbox.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace ep::session {
namespace {

constexpr int kEvents = 20'000;

// After taking an event, a thread can read without a lock what the other thread wrote before it
// put the event; ThreadSanitizer checks this, too.
TEST(Outbox, HandsOverInOrderWhatWasWrittenBefore)
{
    Outbox outbox;
    std::vector<int> written(kEvents, -1); // plain: only the mutex orders it
    std::thread sender([&] {
        for (int i = 0; i < kEvents; ++i) {
            written[static_cast<std::size_t>(i)] = i;
            outbox.put(PowerProblem{std::to_string(i)});
        }
    });
    int next = 0;
    while (next < kEvents) {
        for (const Event& event : outbox.takeAll()) {
            ASSERT_EQ(std::get<PowerProblem>(event).message, std::to_string(next));
            EXPECT_EQ(written[static_cast<std::size_t>(next)], next);
            ++next;
        }
    }
    sender.join();
    EXPECT_TRUE(outbox.takeAll().empty());
}

TEST(Outbox, TellsOnlyOfTheFirstToken)
{
    Outbox outbox;
    std::vector<std::size_t> told; // events that were there
    outbox.onFirstToken([&] { told.push_back(outbox.takeAll().size()); });
    outbox.put(PowerSample());
    for (const int index : {0, 1}) {
        TokenComplete token;
        token.token.index = index;
        outbox.put(token);
    }
    EXPECT_EQ(told, std::vector<std::size_t>{2});
}

TEST(Outbox, KeepsOnlyTheNewestProgress)
{
    Outbox outbox;
    outbox.put(LoadProgress{0.1, "weights"});
    outbox.put(LoadProgress{0.2, "weights"});
    outbox.put(PowerProblem{"gone"});
    outbox.put(LoadProgress{0.3, "weights"});
    const auto events = outbox.takeAll();
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(std::get<LoadProgress>(events[0]).fraction, 0.2);
    EXPECT_EQ(std::get<LoadProgress>(events[2]).fraction, 0.3);
}

// A reader always sees one whole operation, never parts of two.
TEST(PublishedOperation, IsNeverTorn)
{
    PublishedOperation published{pack({})};
    std::thread writer([&] {
        for (std::int32_t i = 0; i < kEvents; ++i)
            published.store(pack({.token = i, .layer = i % 100}), std::memory_order_relaxed);
    });
    std::int32_t last = -1;
    while (last < kEvents - 1) {
        const CurrentOperation operation = unpack(published.load(std::memory_order_relaxed));
        if (operation.token < 0)
            continue;
        ASSERT_EQ(operation.layer, operation.token % 100);
        ASSERT_GE(operation.token, last);
        last = operation.token;
    }
    writer.join();
}

} // namespace
} // namespace ep::session

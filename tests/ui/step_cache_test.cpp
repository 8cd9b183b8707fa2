// SPDX-License-Identifier: GPL-3.0-or-later
#include "repository/run_document.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace ep::ui {
namespace {

const QString kRun = QStringLiteral("run");

std::shared_ptr<const RunTrace> aStep()
{
    return std::make_shared<const RunTrace>();
}

TEST(StepCache, AsksOneAtATimeAndNothingTwice)
{
    StepCache cache;
    const QSignalSpy asked(&cache, &StepCache::asked);
    const QSignalSpy arrived(&cache, &StepCache::arrived);
    cache.want({1}); // no run is open
    EXPECT_EQ(asked.count(), 0);
    cache.reset(kRun);
    cache.want({3, 4, 5});
    cache.want({4});
    ASSERT_EQ(asked.count(), 1);
    EXPECT_EQ(asked[0][1].toInt(), 3);
    cache.answer(QStringLiteral("another"), 3, aStep());
    cache.answer(kRun, 9, aStep());
    EXPECT_EQ(arrived.count(), 0);
    cache.answer(kRun, 3, aStep());
    ASSERT_EQ(asked.count(), 2);
    EXPECT_EQ(asked[1][1].toInt(), 4);
    cache.answer(kRun, 4, aStep());
    cache.answer(kRun, 5, aStep());
    EXPECT_EQ(arrived.count(), 3);
    EXPECT_FALSE(cache.waiting());
    EXPECT_TRUE(cache.step(5));
    EXPECT_FALSE(cache.step(6));
    cache.want({3, 4, 5});
    EXPECT_EQ(asked.count(), 3);
}

TEST(StepCache, WhatIsWantedLastComesFirst)
{
    StepCache cache;
    const QSignalSpy asked(&cache, &StepCache::asked);
    cache.reset(kRun);
    cache.want({1, 2});
    cache.want({50, 51});
    for (const int token : {1, 50, 51, 2})
        cache.answer(kRun, token, aStep());
    ASSERT_EQ(asked.count(), 4);
    EXPECT_EQ(asked[1][1].toInt(), 50);
    EXPECT_EQ(asked[3][1].toInt(), 2);
}

TEST(StepCache, ForgetsWithTheRunAndWhenNoAnswerComes)
{
    StepCache cache;
    const QSignalSpy asked(&cache, &StepCache::asked);
    cache.reset(kRun);
    cache.want({1, 2});
    cache.giveUp();
    EXPECT_FALSE(cache.waiting());
    cache.want({1});
    EXPECT_EQ(asked.count(), 2);
    cache.reset(QStringLiteral("next"));
    cache.answer(kRun, 1, aStep()); // too late
    EXPECT_FALSE(cache.step(1));
    QList<int> many;
    for (int i = 0; i < 500; ++i)
        many.append(i);
    cache.want(many);
    int answered = 0;
    while (cache.waiting() && answered < 1000) {
        cache.answer(QStringLiteral("next"), asked.last()[1].toInt(), aStep());
        ++answered;
    }
    EXPECT_EQ(answered, StepCache::kMaxWaiting);
}

} // namespace
} // namespace ep::ui

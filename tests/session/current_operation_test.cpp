// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/current_operation.h"

#include <gtest/gtest.h>

namespace {

using namespace ep;
using session::CurrentOperation;

struct Case {
    const char* name;
    CurrentOperation operation;
};

class CurrentOperationTest : public testing::TestWithParam<Case> { };

TEST_P(CurrentOperationTest, ComesBackFromOneWord)
{
    const CurrentOperation& in = GetParam().operation;
    const CurrentOperation out = session::unpack(session::pack(in));
    EXPECT_EQ(out.phase, in.phase);
    EXPECT_EQ(out.section, in.section);
    EXPECT_EQ(out.token, in.token);
    EXPECT_EQ(out.layer, in.layer);
    EXPECT_EQ(out.has_component, in.has_component);
    if (in.has_component) {
        EXPECT_EQ(out.component, in.component);
    }
}

INSTANTIATE_TEST_SUITE_P(All, CurrentOperationTest,
                         testing::Values(Case{"Default", {}},
                                         Case{"FirstComponent",
                                              {.phase = Phase::Prefill,
                                               .section = Section::Layers,
                                               .token = 0,
                                               .layer = 0,
                                               .component = Component::InputLayernorm,
                                               .has_component = true}},
                                         Case{"LastWords",
                                              {.phase = Phase::PostInference,
                                               .section = Section::MemoryCleanup,
                                               .token = 123'456,
                                               .layer = 255,
                                               .component = Component::Residual,
                                               .has_component = true}},
                                         Case{"LargestIndices",
                                              {.phase = Phase::Decode,
                                               .section = Section::Layers,
                                               .token = (1 << 24) - 2,
                                               .layer = (1 << 16) - 2,
                                               .component = Component::QProj,
                                               .has_component = false}}),
                         [](const auto& tested) { return tested.param.name; });

TEST(CurrentOperation, IndicesBeyondTheWordReadAsNone)
{
    const CurrentOperation out = session::unpack(session::pack({.phase = Phase::Decode,
                                                                .section = Section::Layers,
                                                                .token = 1 << 24,
                                                                .layer = 1 << 16,
                                                                .component = Component::QProj,
                                                                .has_component = true}));
    EXPECT_EQ(out.token, kNoToken);
    EXPECT_EQ(out.layer, kNoLayer);
    EXPECT_EQ(out.component, Component::QProj);
}

} // namespace

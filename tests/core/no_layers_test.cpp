// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/no_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace ep;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(NoLayers, BlamesTheDepthOnlyWhereItWasChosen)
{
    RunInfo own;
    own.depth = Depth::None;
    EXPECT_THAT(whyNoLayers(own), HasSubstr("its depth was none"));
    RunInfo stopped;
    stopped.depth = Depth::Module;
    EXPECT_THAT(whyNoLayers(stopped), HasSubstr("before a token was complete"));

    RunInfo imported = own;
    imported.power.source = kImportedSource;
    EXPECT_THAT(whyNoLayers(imported), HasSubstr("the energy of each rail"));
    RunInfo server = own;
    server.profiling.server.emplace();
    EXPECT_THAT(whyNoLayers(server), HasSubstr("not visible from outside"));
    RunInfo command = own;
    command.profiling.command.emplace();
    EXPECT_EQ(whyNoLayers(command), "The command sent no layers.");
    for (const RunInfo& run : {imported, server, command})
        EXPECT_THAT(whyNoLayers(run), Not(HasSubstr("depth")));
}

} // namespace

// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dock_badge.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace ep;
using Calls = std::vector<std::string>;

Calls calls;

// Objects and selectors are represented by their names.
void* named(const char* name)
{
    return const_cast<char*>(name);
}

void* fakeSend(void* receiver, void* selector, const char* argument)
{
    const std::string message = static_cast<const char*>(selector);
    std::string call = std::string(static_cast<const char*>(receiver)) + ' ' + message;
    if (message.back() == ':')
        call += argument ? std::string(" ") + argument : " nil";
    calls.push_back(call);
    if (message == "sharedApplication")
        return named("app");
    if (message == "dockTile")
        return named("tile");
    return message == "stringWithUTF8String:" ? named("label") : nullptr;
}

const ObjectiveC kFake{
    .get_class = named, .selector = named, .send = reinterpret_cast<void (*)()>(fakeSend)};

TEST(DockBadgeTest, ShowsPercentAndGoesAway)
{
    calls.clear();
    ui::DockBadge badge(kFake);
    badge.show(42);
    EXPECT_EQ(calls,
              (Calls{"NSApplication sharedApplication", "app dockTile",
                     "NSString stringWithUTF8String: 42 %", "tile setBadgeLabel: label"}));
    calls.clear();
    badge.show(42);
    EXPECT_EQ(calls, Calls{});
    badge.show(std::nullopt);
    EXPECT_EQ(
        calls,
        (Calls{"NSApplication sharedApplication", "app dockTile", "tile setBadgeLabel: nil"}));
}

TEST(DockBadgeTest, WithoutObjectiveCNothingHappens)
{
    calls.clear();
    ui::DockBadge badge(std::nullopt);
    badge.show(1);
    EXPECT_EQ(calls, Calls{});
}

} // namespace

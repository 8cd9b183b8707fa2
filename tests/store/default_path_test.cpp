// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/store/store.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

namespace ep::store {
namespace {

// Sets (or removes) an environment variable until it is destroyed.
class Variable {
public:
    Variable(const char* name, const char* value)
        : m_name(name)
    {
        if (const char* before = std::getenv(name))
            m_before = before;
        set(value);
    }
    ~Variable() { set(m_before ? m_before->c_str() : nullptr); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    void set(const char* value) const
    {
        if (value)
            ::setenv(m_name, value, 1);
        else
            ::unsetenv(m_name);
    }

    const char* m_name;
    std::optional<std::string> m_before;
};

TEST(DefaultPath, TheVariableWins)
{
    const Variable chosen("EP_DB", "some/where.db");
    EXPECT_EQ(defaultDatabasePath(), "some/where.db");
}

TEST(DefaultPath, AnEmptyVariableIsNone)
{
    const Variable chosen("EP_DB", "");
    EXPECT_TRUE(defaultDatabasePath().is_absolute());
}

#ifdef __APPLE__
TEST(DefaultPath, FollowsThePlatform)
{
    const Variable chosen("EP_DB", nullptr);
    const Variable home("HOME", "/home/me");
    EXPECT_EQ(defaultDatabasePath(),
              "/home/me/Library/Application Support/Energy Profiler/runs.db");
}
#else
TEST(DefaultPath, FollowsThePlatform)
{
    const Variable chosen("EP_DB", nullptr);
    const Variable home("HOME", "/home/me");
    const Variable data("XDG_DATA_HOME", nullptr);
    EXPECT_EQ(defaultDatabasePath(), "/home/me/.local/share/energy-profiler/runs.db");
    const Variable relative("XDG_DATA_HOME", "data");
    EXPECT_EQ(defaultDatabasePath(), "/home/me/.local/share/energy-profiler/runs.db");
    const Variable absolute("XDG_DATA_HOME", "/data");
    EXPECT_EQ(defaultDatabasePath(), "/data/energy-profiler/runs.db");
}
#endif

TEST(DefaultPath, DoesWithoutAHome)
{
    const Variable chosen("EP_DB", nullptr);
    const Variable home("HOME", nullptr);
    EXPECT_TRUE(defaultDatabasePath().is_absolute());
}

} // namespace
} // namespace ep::store

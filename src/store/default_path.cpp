// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/store/store.h"

#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

fs::path fromEnvironment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? fs::path(value) : fs::path();
}

fs::path homeFolder()
{
    if (const fs::path home = fromEnvironment("HOME"); home.is_absolute())
        return home;
    const passwd* user = ::getpwuid(::geteuid());
    return user && user->pw_dir ? fs::path(user->pw_dir) : fs::current_path();
}

} // namespace

fs::path defaultDatabasePath()
{
    if (const fs::path chosen = fromEnvironment("EP_DB"); !chosen.empty())
        return chosen;
#ifdef __APPLE__
    return homeFolder() / "Library" / "Application Support" / "Energy Profiler" / "runs.db";
#else
    // The XDG rule: relative paths are ignored.
    fs::path data = fromEnvironment("XDG_DATA_HOME");
    if (!data.is_absolute())
        data = homeFolder() / ".local" / "share";
    return data / "energy-profiler" / "runs.db";
#endif
}

} // namespace ep::store

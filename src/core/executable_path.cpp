// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/executable_path.h"

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include <cstdint>
#include <string>
#include <system_error>

namespace ep {

std::filesystem::path executablePath()
{
    std::error_code ignored;
#ifdef __APPLE__
    std::uint32_t size = 0;
    _NSGetExecutablePath(nullptr, &size);
    std::string path(size, '\0');
    if (_NSGetExecutablePath(path.data(), &size) != 0)
        return {};
    return std::filesystem::canonical(path.c_str(), ignored);
#else
    return std::filesystem::read_symlink("/proc/self/exe", ignored);
#endif
}

} // namespace ep

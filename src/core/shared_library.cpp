// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/shared_library.h"

#include <cstdlib>
#include <dlfcn.h>

namespace ep {

Result<SharedLibrary> SharedLibrary::open(const std::string& path, const std::string& what,
                                          const std::string& remedy)
{
    SharedLibrary library;
    if (void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); handle != nullptr) {
        library.m_handle = std::shared_ptr<void>(handle, [](void* open) { ::dlclose(open); });
        return library;
    }
    return Error{
        ErrorCode::Unsupported,
        {"There is no %1 (%2) on this machine; %3.", Message(what), path, Message(remedy)}};
}

void* SharedLibrary::symbol(const char* name) const
{
    return m_handle ? ::dlsym(m_handle.get(), name) : nullptr;
}

std::string pathFrom(const char* variable, const char* path)
{
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0' ? value : path;
}

} // namespace ep

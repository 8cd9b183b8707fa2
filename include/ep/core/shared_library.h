// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <memory>
#include <string>

namespace ep {

// A system library that is opened at run time, so that the program also starts without it. Stays
// open until the last copy is destroyed.
class SharedLibrary {
public:
    // what, remedy: for the error message if the library is missing: its name ("NVIDIA's driver
    // library") and what to do.
    static Result<SharedLibrary> open(const std::string& path, const std::string& what,
                                      const std::string& remedy);

    // Null if the library has no such function.
    template <typename Function>
    Function* find(const char* name) const
    {
        return reinterpret_cast<Function*>(symbol(name));
    }
    // False if the library has no such function.
    template <typename Function>
    bool load(Function*& function, const char* name) const
    {
        function = find<Function>(name);
        return function != nullptr;
    }

private:
    void* symbol(const char* name) const;

    std::shared_ptr<void> m_handle;
};

// The value of the environment variable if set and not empty, otherwise the given path.
std::string pathFrom(const char* variable, const char* path);

} // namespace ep

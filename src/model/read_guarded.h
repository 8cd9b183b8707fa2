// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <exception>
#include <filesystem>
#include <new>

namespace ep::model {

// Reads a model, which may be any file that lies in a cache. An exception of a library becomes an
// error of that model, so that the others can still be listed.
template <typename Work>
auto readGuarded(const std::filesystem::path& model, Work&& work) -> decltype(work())
{
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::Io,
                     {"There is not enough memory to read the model %1: close other programs, or "
                      "remove it from the folder.",
                      model.string()}};
    } catch (const std::exception& problem) {
        return Error{ErrorCode::Internal,
                     {"The model %1 could not be read (%2): remove it from the folder, and please "
                      "report this.",
                      model.string(), problem.what()}};
    }
}

} // namespace ep::model

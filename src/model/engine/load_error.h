// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <exception>
#include <utility>

namespace ep::model {

// Thrown while a decoder is constructed, whose constructors read their weights; caught in
// EngineLibrary::load, never leaves the engine.
class LoadError : public std::exception {
public:
    explicit LoadError(Error error)
        : m_error(std::move(error))
    {
    }
    const Error& error() const { return m_error; }
    const char* what() const noexcept override { return m_error.message.pattern().c_str(); }

private:
    Error m_error;
};

template <typename T>
T orThrow(Result<T> result)
{
    if (!result)
        throw LoadError(result.error());
    return std::move(*result);
}

inline void orThrow(const Status& status)
{
    if (!status)
        throw LoadError(status.error());
}

} // namespace ep::model

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <exception>
#include <utility>

namespace ep::model {

// Thrown during the construction of a decoder, whose constructors read their weights; caught in
// EngineLibrary::load, never leaves the engine.
class LoadError : public std::exception {
public:
    explicit LoadError(Error error)
        : m_error(std::move(error))
    {
    }
    const Error& error() const { return m_error; }
    const char* what() const noexcept override { return m_error.message.c_str(); }

private:
    Error m_error;
};

} // namespace ep::model

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"

#include <cassert>
#include <utility>
#include <variant>

namespace ep {

// Kind of a failure. Decides the exit status and the icon, never the wording.
enum class ErrorCode {
    InvalidInput, // a file, value or argument given by the user is wrong
    NotFound, // a named object does not exist
    Unsupported, // valid, but this build or machine cannot do it
    Io, // reading, writing or a child process failed
    NoMemory, // more memory is needed than is free
    Cancelled, // the user asked to stop
    Internal, // a defect of this program
};

// A failure as shown to the user: one sentence on what is wrong, where, and what to do.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    Message message;

    bool operator==(const Error&) const = default;
};

// Either a value or an Error, with the interface of std::expected (C++23).
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    bool has_value() const { return m_state.index() == 0; }
    explicit operator bool() const { return has_value(); }

    T& value() &
    {
        assert(has_value());
        return std::get<0>(m_state);
    }
    const T& value() const&
    {
        assert(has_value());
        return std::get<0>(m_state);
    }
    T&& value() &&
    {
        assert(has_value());
        return std::get<0>(std::move(m_state));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    const Error& error() const
    {
        assert(!has_value());
        return std::get<1>(m_state);
    }

private:
    std::variant<T, Error> m_state;
};

// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
        , m_failed(true)
    {
    }

    bool has_value() const { return !m_failed; }
    explicit operator bool() const { return has_value(); }
    const Error& error() const
    {
        assert(m_failed);
        return m_error;
    }

private:
    Error m_error;
    bool m_failed = false;
};

using Status = Result<void>;

} // namespace ep

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "torch_compat.h"

#include "ep/core/result.h"
#include "ep/core/start_thread.h"

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <system_error>
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

// Runs work that returns a Result, and converts every exception of LibTorch and of our own to an
// error, because none may leave the engine.
template <typename Work>
auto guarded(const char* doing, Work&& work) -> decltype(work())
{
    try {
        const c10::InferenceMode noGradients;
        return work();
    } catch (const LoadError& error) {
        return error.error();
    } catch (const c10::Error& error) {
        std::string what = error.what_without_backtrace();
        what.resize(std::min(what.find('\n'), what.size()));
        if (what.find("alloc") != std::string::npos || what.find("memory") != std::string::npos) {
            return Error{
                ErrorCode::Io,
                {"There is not enough memory for %1: use a smaller model, or close other programs.",
                 doing}};
        }
        return Error{ErrorCode::Internal, {"LibTorch failed in %1: %2", doing, what}};
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::resource_unavailable_try_again)
            return cannotStartThread();
        return Error{ErrorCode::Internal, {"Failed in %1: %2", doing, error.what()}};
    } catch (const std::bad_alloc&) {
        return Error{
            ErrorCode::Io,
            {"There is not enough memory for %1: use a smaller model, or close other programs.",
             doing}};
    } catch (const std::exception& error) {
        return Error{ErrorCode::Internal, {"Failed in %1: %2", doing, error.what()}};
    }
}

} // namespace ep::model

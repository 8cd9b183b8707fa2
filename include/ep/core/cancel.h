// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>

namespace ep {

// A shared flag with which one thread asks another to stop. Copies refer to the same flag. Relaxed
// ordering is enough: cancelling publishes no other data, and the store becomes visible to the
// other thread in finite time. Results of the stopped thread are passed by other means.
class CancelToken {
public:
    void cancel() const { m_flag->store(true, std::memory_order_relaxed); }
    bool cancelled() const { return m_flag->load(std::memory_order_relaxed); }

private:
    std::shared_ptr<std::atomic<bool>> m_flag = std::make_shared<std::atomic<bool>>(false);
};

// A token cannot wake a waiting thread, so anyone who waits checks it at this interval.
inline constexpr std::chrono::milliseconds kCancelPoll{20};

// Called on the working thread with a description of the current work and its progress, 0..1.
using ProgressFn = std::function<void(double fraction, const Message& what)>;

} // namespace ep

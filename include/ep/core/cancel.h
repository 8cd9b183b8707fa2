// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace ep {

// Shared flag with which one thread asks another to stop. Copies refer to the same flag.
// Relaxed is enough: who cancels hands nothing over with it, and a store becomes visible to the
// other thread in finite time. What the stopped thread leaves behind is handed over by other means.
class CancelToken {
public:
    void cancel() const { m_flag->store(true, std::memory_order_relaxed); }
    bool cancelled() const { return m_flag->load(std::memory_order_relaxed); }

private:
    std::shared_ptr<std::atomic<bool>> m_flag = std::make_shared<std::atomic<bool>>(false);
};

// Called from the working thread with what is being done and 0..1 of it.
using ProgressFn = std::function<void(double fraction, const std::string& what)>;

} // namespace ep

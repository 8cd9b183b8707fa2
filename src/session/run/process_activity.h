// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/objective_c.h"
#include "ep/session/activity.h"

namespace ep::session {

// -[NSProcessInfo beginActivityWithOptions:reason:] of macOS, through its C interface. Any thread;
// may end on another thread.
class ProcessActivity final : public Activity {
public:
    ProcessActivity(const ObjectiveC& runtime, const std::string& reason);
    ~ProcessActivity() override;
    ProcessActivity(const ProcessActivity&) = delete;
    ProcessActivity& operator=(const ProcessActivity&) = delete;

    bool held() const override { return m_token != nullptr; }
    bool mayNap() const override { return !held(); }
    std::string detail() const override;

private:
    ObjectiveC m_runtime;
    void* m_process = nullptr; // NSProcessInfo, which lives as long as the program
    void* m_token = nullptr;
};

} // namespace ep::session

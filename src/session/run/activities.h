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

// An inhibitor lock of systemd-logind, requested over D-Bus with systemd's own library, which is
// opened at run time (EP_SYSTEMD replaces it for testing). The lock is a file descriptor and is
// released when that is closed. Inhibits idling and sleep if this account may do both, otherwise
// idling only.
class SleepInhibitor final : public Activity {
public:
    explicit SleepInhibitor(const std::string& reason);
    ~SleepInhibitor() override;
    SleepInhibitor(const SleepInhibitor&) = delete;
    SleepInhibitor& operator=(const SleepInhibitor&) = delete;

    bool held() const override { return m_lock >= 0; }
    std::string detail() const override { return m_detail; }

private:
    int m_lock = -1;
    std::string m_detail;
};

} // namespace ep::session

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/activity.h"

namespace ep::session {

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

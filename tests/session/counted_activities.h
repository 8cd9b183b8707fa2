// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/activity.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ep::test {

// Counts who asks the system to stay awake, and how many do so now. Must outlive its activities.
class CountedActivities {
public:
    std::function<std::unique_ptr<session::Activity>(const std::string&)> begin()
    {
        return [this](const std::string& reason) {
            const std::lock_guard lock(m_mutex);
            m_reasons.push_back(reason);
            ++m_held;
            return std::make_unique<Counted>(*this);
        };
    }

    int held() const
    {
        const std::lock_guard lock(m_mutex);
        return m_held;
    }

    std::vector<std::string> reasons() const
    {
        const std::lock_guard lock(m_mutex);
        return m_reasons;
    }

private:
    struct Counted final : session::Activity {
        explicit Counted(CountedActivities& activities)
            : all(activities)
        {
        }
        ~Counted() override
        {
            const std::lock_guard lock(all.m_mutex);
            --all.m_held;
        }
        bool held() const override { return true; }
        std::string detail() const override { return "counted"; }

        CountedActivities& all;
    };

    mutable std::mutex m_mutex; // guards the members below
    int m_held = 0;
    std::vector<std::string> m_reasons;
};

} // namespace ep::test

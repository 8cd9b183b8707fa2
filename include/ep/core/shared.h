// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <utility>

namespace ep {

// An immutable value shared by copies, for fields that only a few of many records have: as small as
// a pointer, which is null for a value that equals T().
template <typename T>
class Shared {
public:
    Shared() = default;
    explicit Shared(T value)
        : m_held(value == T() ? nullptr : new Held{std::move(value)})
    {
    }
    Shared(const Shared& other) noexcept
        : m_held(other.m_held)
    {
        if (m_held != nullptr)
            m_held->owners.fetch_add(1, std::memory_order_relaxed);
    }
    Shared(Shared&& other) noexcept
        : m_held(std::exchange(other.m_held, nullptr))
    {
    }
    Shared& operator=(Shared other) noexcept
    {
        std::swap(m_held, other.m_held);
        return *this;
    }
    ~Shared()
    {
        if (m_held != nullptr && m_held->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete m_held;
    }

    explicit operator bool() const { return m_held != nullptr; }
    const T* operator->() const { return &m_held->value; }
    const T& operator*() const { return m_held->value; }
    bool operator==(const Shared& other) const
    {
        return m_held && other.m_held ? m_held->value == other.m_held->value
                                      : m_held == other.m_held;
    }

private:
    struct Held {
        const T value;
        std::atomic<int> owners = 1;
    };
    Held* m_held = nullptr;
};

} // namespace ep

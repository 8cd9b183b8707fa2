// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <limits>
#include <optional>

namespace ep {

// An optional energy in eight bytes, for records that exist in millions. NaN means no energy.
class MaybeMillijoules {
public:
    constexpr MaybeMillijoules() = default;
    constexpr MaybeMillijoules(std::nullopt_t) { }
    constexpr MaybeMillijoules(Millijoules energy)
        : m_energy(energy)
    {
    }
    constexpr MaybeMillijoules(const std::optional<Millijoules>& energy)
        : m_energy(energy.value_or(kNone))
    {
    }

    constexpr operator std::optional<Millijoules>() const
    {
        return *this ? std::optional(m_energy) : std::nullopt;
    }
    constexpr explicit operator bool() const { return m_energy.value == m_energy.value; }
    constexpr bool has_value() const { return static_cast<bool>(*this); }
    constexpr const Millijoules& operator*() const { return m_energy; }
    constexpr Millijoules& operator*() { return m_energy; }
    constexpr const Millijoules* operator->() const { return &m_energy; }
    constexpr Millijoules* operator->() { return &m_energy; }
    constexpr Millijoules value_or(Millijoules other) const { return *this ? m_energy : other; }
    constexpr void reset() { m_energy = kNone; }
    constexpr bool operator==(const MaybeMillijoules& other) const
    {
        return *this ? m_energy == other.m_energy : !other;
    }
    constexpr bool operator==(const std::optional<Millijoules>& other) const
    {
        return *this == MaybeMillijoules(other);
    }
    constexpr bool operator==(std::nullopt_t) const { return !*this; }

private:
    static constexpr Millijoules kNone{std::numeric_limits<double>::quiet_NaN()};

    Millijoules m_energy = kNone;
};

} // namespace ep

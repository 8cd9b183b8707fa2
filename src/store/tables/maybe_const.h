// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <type_traits>

namespace ep::store {

// A record that is read or written, const or not.
template <typename T, typename Record>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Record>;

} // namespace ep::store

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace ep::api {

// GET /live: a page that shows runs in progress. Served here because pages of other origins are
// refused.
std::string_view livePage();

} // namespace ep::api

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "context.h"

#include <vector>

namespace ep::api {

// The list of stored runs, with filters, sorting and paging.
HttpResponse listRuns(Context& context, const HttpRequest& request);
std::vector<Parameter> listParameters();

} // namespace ep::api

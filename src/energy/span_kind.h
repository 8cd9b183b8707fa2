// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/own_part.h"
#include "ep/energy/work_curve.h"

namespace ep::energy {

// Kind of work of a component or section; parts with names of their own are other work.
template <typename Part>
WorkKind spanKindOf(Part part)
{
    return isOwn(part) ? kOtherWork : kindOf(part);
}

} // namespace ep::energy

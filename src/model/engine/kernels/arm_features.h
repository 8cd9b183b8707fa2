// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::model {

enum class ArmFeature { DotProd, Bf16 };

bool armFeature(ArmFeature feature);

} // namespace ep::model

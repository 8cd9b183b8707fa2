// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_test/groups.h"

#include "ep/core/format.h"
#include "ep/model/kernel_check.h"

namespace ep::session {

void checkKernels(SelfTestContext& context)
{
    for (const model::KernelTableCheck& check : model::checkKernelTables()) {
        std::string detail = "largest relative difference "
            + formatSignificant(check.largest_difference) + " (" + check.kernel + ")";
        if (check.used)
            detail += ", computes here";
        if (check.agrees)
            context.ok("kernels", check.table, std::move(detail));
        else
            context.fail("kernels", check.table, std::move(detail),
                         "report this with the name of the processor; results here are not to be "
                         "trusted");
    }
}

} // namespace ep::session

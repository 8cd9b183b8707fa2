// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_test/groups.h"

namespace ep::session {

void checkProducts(SelfTestContext& context)
{
    if (!context.engine)
        return;
    const auto checks = context.engine->checkDeviceKernels();
    if (checks.empty())
        context.notHere("products", "as stored", "no device here has kernels of its own");
    for (const model::DeviceKernelCheck& check : checks) {
        const std::string name = check.device + ' ' + check.dtype;
        if (check.problem.empty())
            context.ok("products", name, "weights are multiplied as they are stored");
        else
            context.fail("products", name,
                         "weights are dequantized before each product, because the kernels cannot "
                         "be used: "
                             + check.problem,
                         "results are right, but take more time and energy: report this");
    }
}

} // namespace ep::session

// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_test/groups.h"

namespace ep::session {

void checkMatmuls(SelfTestContext& context)
{
    if (!context.engine)
        return;
    const auto checks = context.engine->checkDeviceKernels();
    if (checks.empty())
        context.notHere("products", "as stored", "no device here has kernels of its own");
    for (const model::DeviceKernelCheck& check : checks) {
        const bool operation = check.dtype.empty();
        const std::string name = check.device + ' ' + (operation ? check.operation : check.dtype);
        if (check.problem.empty())
            context.ok("products", name,
                       operation ? "computed by a kernel of the program's own"
                                 : "weights are multiplied as they are stored");
        else
            context.fail("products", name,
                         (operation ? "computed by LibTorch's functions, because the kernel cannot "
                                      "be used: "
                                    : "weights are dequantized before each matmul, because the "
                                      "kernels cannot be used: ")
                             + check.problem,
                         "results are right, but take more time and energy: report this");
    }
}

} // namespace ep::session

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/objective_c.h"

#include <dlfcn.h>

namespace ep {

namespace {

template <typename Function>
bool resolve(Function& function, const char* name)
{
    function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
    return function != nullptr;
}

} // namespace

std::optional<ObjectiveC> findObjectiveC()
{
    ObjectiveC runtime;
    if (resolve(runtime.get_class, "objc_getClass") && resolve(runtime.selector, "sel_registerName")
        && resolve(runtime.send, "objc_msgSend")
        && resolve(runtime.push_pool, "objc_autoreleasePoolPush")
        && resolve(runtime.pop_pool, "objc_autoreleasePoolPop"))
        return runtime;
    return std::nullopt;
}

} // namespace ep

// SPDX-License-Identifier: GPL-3.0-or-later
#include "blas.h"

#include "torch_compat.h"

#include <dlfcn.h>

namespace ep::model {
namespace {

// A function from any loaded library; null if there is none.
template <typename Function>
Function* loaded(const char* name)
{
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

} // namespace

std::string describeBlas()
{
    if (const auto config = loaded<const char*()>("openblas_get_config"))
        return config();
    if (at::hasMKL())
        return "Intel MKL";
#ifdef __APPLE__
    return "Accelerate";
#else
    return "an unknown BLAS, perhaps the reference one, which is several times slower: install "
           "OpenBLAS (libopenblas0-pthread)";
#endif
}

bool dividesMatmuls()
{
    return loaded<void(int)>("openblas_set_num_threads") != nullptr;
}

void setBlasThreads(int threads)
{
    if (const auto setThreads = loaded<void(int)>("openblas_set_num_threads")) {
        at::set_num_threads(1);
        setThreads(threads);
    } else {
        at::set_num_threads(threads);
    }
}

void setThreadsBesideOurs(int threads)
{
    setBlasThreads(dividesMatmuls() ? 1 : threads);
}

} // namespace ep::model

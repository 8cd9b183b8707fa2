// SPDX-License-Identifier: GPL-3.0-or-later
#include "device.h"
#include "engine_library_impl.h"
#include "support/cuda_hooks.h"
#include "torch_compat.h"

#include <gtest/gtest.h>

namespace ep::model {
namespace {

// LibTorch keeps the first answer, so that CUDA would be missing for the whole process if anything
// asked for it before its half is loaded.
TEST(TorchCudaHalfTest, NothingAsksAboutCudaBeforeItsHalfIsLoaded)
{
    EXPECT_FALSE(torchVersion().empty());
    EXPECT_EQ(makeEngineLibrary()->whyUnusable(), "");
    EXPECT_EQ(test::cudaHooksAsked(), 0);
    (void)at::show_config(); // asks
    EXPECT_GT(test::cudaHooksAsked(), 0);
}

TEST(TorchCudaHalfTest, SaysWhyItCannotBeLoaded)
{
    const auto device = chooseDevice("cuda",
                                     {.torch = "2.14.1",
                                      .nvidia_driver = true,
                                      .cuda_failure = "libcublas.so.13: cannot open shared object "
                                                      "file: No such file or directory"});
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().message,
              "The device \"cuda\" cannot be used: LibTorch's CUDA half could not be loaded "
              "(libcublas.so.13: cannot open shared object file: No such file or directory); "
              "usable here: cpu.");
}

} // namespace
} // namespace ep::model

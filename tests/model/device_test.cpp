// SPDX-License-Identifier: GPL-3.0-or-later
#include "device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace ep::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const DeviceFacts kPlain{.torch = "2.6.0"};
const DeviceFacts kMac{.torch = "2.6.0", .macos = true, .mps_built = true, .mps_usable = true};
const DeviceFacts kTwoCards{
    .torch = "2.6.0", .cuda_built = true, .nvidia_driver = true, .cuda_devices = 2};

TEST(DeviceTest, ChoosesWhatIsThere)
{
    struct Case {
        const char* word;
        DeviceFacts facts;
        const char* device;
    };
    for (const Case& c : std::vector<Case>{{"auto", kPlain, "cpu"},
                                           {"auto", kMac, "mps"},
                                           {"auto", kTwoCards, "cuda:0"},
                                           {"cpu", kTwoCards, "cpu"},
                                           {"mps", kMac, "mps"},
                                           {"cuda", kTwoCards, "cuda:0"},
                                           {"cuda:1", kTwoCards, "cuda:1"}}) {
        const auto device = chooseDevice(c.word, c.facts);
        ASSERT_TRUE(device) << device.error().message;
        EXPECT_EQ(deviceName(*device), c.device) << c.word;
    }
    EXPECT_THAT(usableDevices(kTwoCards), ElementsAre("cpu", "cuda:0", "cuda:1"));
    EXPECT_THAT(usableDevices(kMac), ElementsAre("cpu", "mps"));
}

TEST(DeviceTest, SaysWhyNot)
{
    DeviceFacts oldMac = kMac;
    oldMac.mps_built = oldMac.mps_usable = false;
    DeviceFacts noGpu = kMac;
    noGpu.mps_usable = false;
    DeviceFacts noCuda = kPlain;
    noCuda.nvidia_driver = true;
    DeviceFacts noDriver = kTwoCards;
    noDriver.nvidia_driver = false;
    noDriver.cuda_devices = 0;
    DeviceFacts noCard = kTwoCards;
    noCard.cuda_devices = 0;
    struct Case {
        const char* word;
        DeviceFacts facts;
        const char* reason;
    };
    for (const Case& c : std::vector<Case>{
             {"mps", kPlain, "macOS only; usable here: cpu."},
             {"mps", oldMac, "LibTorch 2.6.0 of this machine cannot compute on Apple's GPU"},
             {"mps", noGpu, "no GPU that LibTorch"},
             {"cuda", kPlain, "no NVIDIA driver"},
             {"cuda:3", kPlain, "no NVIDIA driver"},
             {"cuda", noCuda, "built without CUDA"},
             {"cuda", noDriver, "no NVIDIA driver"},
             {"cuda", noCard, "shows no GPU"},
             {"cuda:2", kTwoCards, "cuda:0 to cuda:1; usable here: cpu, cuda:0, cuda:1"}}) {
        const auto device = chooseDevice(c.word, c.facts);
        ASSERT_FALSE(device) << c.word;
        EXPECT_EQ(device.error().code, ErrorCode::Unsupported);
        EXPECT_THAT(device.error().message, HasSubstr(c.reason));
    }
    for (const char* const word : {"", "tpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x"}) {
        const auto device = chooseDevice(word, kTwoCards);
        ASSERT_FALSE(device) << word;
        EXPECT_EQ(device.error().code, ErrorCode::InvalidInput);
        EXPECT_THAT(device.error().message, HasSubstr("known are auto, cpu, mps, cuda"));
    }
}

TEST(DeviceTest, FusedAttentionIsLeftOutWhereItIsWrong)
{
    for (const int minor : {8, 9, 10})
        EXPECT_TRUE(fusedAttentionFailsOnMps(2, minor)) << minor;
    for (const int minor : {0, 7, 11, 12})
        EXPECT_FALSE(fusedAttentionFailsOnMps(2, minor)) << minor;
    EXPECT_FALSE(fusedAttentionFailsOnMps(1, 13));
    EXPECT_FALSE(fusedAttentionFailsOnMps(3, 9));
    EXPECT_EQ(canFuseAttention(at::kCPU), kHasFusedAttention);
}

TEST(DeviceTest, TheProcessorPassesItsTest)
{
    EXPECT_EQ(whyItFails(at::kCPU), "");
}

TEST(DeviceTest, TheProcessorTakesEveryType)
{
    for (const DType dtype : {DType::F32, DType::F16, DType::BF16})
        EXPECT_TRUE(canCompute(at::kCPU, dtype));
}

} // namespace
} // namespace ep::model

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "torch_compat.h"

#include "ep/core/result.h"
#include "ep/model/config.h"

#include <string>
#include <vector>

namespace ep::model {

// Facts that determine the usable devices.
struct DeviceFacts {
    std::string torch; // version of LibTorch
    bool macos = false;
    bool mps_built = false; // LibTorch supports Apple's GPUs well enough
    bool mps_usable = false;
    bool cuda_built = false; // LibTorch was built with CUDA
    bool nvidia_driver = false;
    int cuda_devices = 0;
    std::string cuda_failure{}; // why LibTorch's CUDA half could not be loaded
};

DeviceFacts deviceFacts(); // facts of this machine

std::vector<std::string> usableDevices(const DeviceFacts& facts); // "cpu" first

// auto (an accelerator if available), cpu, mps, cuda or cuda:N. Anything else, or a device that
// cannot be used, is an error that says why.
Result<at::Device> chooseDevice(const std::string& word, const DeviceFacts& facts);

std::string deviceName(at::Device device); // "cpu", "mps", "cuda:0"

// Tests the device with a small matmul: empty if correct, otherwise the problem. A virtual machine
// may show a GPU that cannot be used.
std::string whyItFails(at::Device device);

// Whether the device can multiply matrices of this type, which is tried.
bool canCompute(at::Device device, DType dtype);

} // namespace ep::model

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "torch_compat.h"

#include "ep/core/result.h"
#include "ep/model/config.h"

#include <string>
#include <vector>

namespace ep::model {

// What decides which devices can be used here.
struct DeviceFacts {
    std::string torch; // its version
    bool macos = false;
    bool mps_built = false; // LibTorch knows Apple's GPUs well enough
    bool mps_usable = false;
    bool cuda_built = false; // LibTorch was built with CUDA
    bool nvidia_driver = false;
    int cuda_devices = 0;
};

DeviceFacts deviceFacts(); // of this machine

std::vector<std::string> usableDevices(const DeviceFacts& facts); // "cpu" first

// auto (an accelerator if there is one), cpu, mps, cuda or cuda:N; an error when it is none of
// these, or one that says why it cannot be used here.
Result<at::Device> chooseDevice(const std::string& word, const DeviceFacts& facts);

std::string deviceName(at::Device device); // "cpu", "mps", "cuda:0"

// Whether the device multiplies matrices of this type; found out by doing it.
bool canCompute(at::Device device, DType dtype);

} // namespace ep::model

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
    bool mps_built = false; // LibTorch supports Apple's GPUs sufficiently
    bool mps_usable = false;
    bool cuda_built = false; // LibTorch was built with CUDA
    bool nvidia_driver = false;
    int cuda_devices = 0;
};

DeviceFacts deviceFacts(); // facts of this machine

std::vector<std::string> usableDevices(const DeviceFacts& facts); // "cpu" first

// auto (an accelerator if available), cpu, mps, cuda or cuda:N; an error if it is none of these, or
// one that says why the device cannot be used.
Result<at::Device> chooseDevice(const std::string& word, const DeviceFacts& facts);

std::string deviceName(at::Device device); // "cpu", "mps", "cuda:0"

// Computes a small matrix product on the device: empty if correct, otherwise the problem.
// A virtual machine may show a GPU that cannot be used.
std::string whyItFails(at::Device device);

// Whether the device multiplies matrices of this type; found out by doing it.
bool canCompute(at::Device device, DType dtype);

} // namespace ep::model

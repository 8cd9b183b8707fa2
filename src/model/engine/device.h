// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "torch_compat.h"

#include "ep/core/result.h"

#include <string>
#include <vector>

namespace ep::model {

std::vector<std::string> usableDevices(); // "cpu" first

// auto, cpu, mps, cuda or cuda:N; an error when it is none of these or not usable here.
Result<at::Device> chooseDevice(const std::string& word);

std::string deviceName(at::Device device); // "cpu", "mps", "cuda:0"

} // namespace ep::model

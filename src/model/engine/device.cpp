// SPDX-License-Identifier: GPL-3.0-or-later
#include "device.h"

#include <algorithm>

namespace ep::model {

std::vector<std::string> usableDevices()
{
    std::vector<std::string> devices{"cpu"};
    if (mpsAvailable())
        devices.emplace_back("mps");
    for (int i = 0; i < cudaDeviceCount(); ++i)
        devices.push_back("cuda:" + std::to_string(i));
    return devices;
}

Result<at::Device> chooseDevice(const std::string& word)
{
    const std::vector<std::string> usable = usableDevices();
    std::string wanted = word == "cuda" ? "cuda:0" : word;
    if (wanted == "auto")
        wanted = usable.back() == "cpu" ? "cpu" : usable[1];
    if (std::find(usable.begin(), usable.end(), wanted) == usable.end()) {
        std::string list;
        for (const std::string& device : usable)
            list += (list.empty() ? "" : ", ") + device;
        return Error{ErrorCode::Unsupported,
                     "The device \"" + word + "\" cannot be used with the LibTorch " + TORCH_VERSION
                         + " of this machine; usable are " + list + "."};
    }
    if (wanted == "cpu")
        return at::Device(at::kCPU);
    if (wanted == "mps")
        return at::Device(at::kMPS);
    return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(std::stoi(wanted.substr(5))));
}

std::string deviceName(at::Device device)
{
    if (device.is_cuda())
        return "cuda:" + std::to_string(device.index());
    return device.is_cpu() ? "cpu" : "mps";
}

} // namespace ep::model

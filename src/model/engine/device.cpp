// SPDX-License-Identifier: GPL-3.0-or-later
#include "device.h"

#include <charconv>
#include <dlfcn.h>
#include <exception>
#include <filesystem>
#include <optional>
#include <system_error>

namespace ep::model {
namespace {

std::optional<int> cudaIndex(const std::string& word)
{
    if (word == "cuda")
        return 0;
    constexpr std::size_t kPrefix = 5; // "cuda:"
    if (!word.starts_with("cuda:"))
        return std::nullopt;
    int index = 0;
    const char* const end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data() + kPrefix, end, index);
    if (error != std::errc() || stopped != end || index < 0)
        return std::nullopt;
    return index;
}

// Empty if the device can be used.
std::string whyNotMps(const DeviceFacts& facts)
{
    if (!facts.macos)
        return "Apple's GPUs (mps) exist on macOS only";
    if (!facts.mps_built)
        return "the LibTorch " + facts.torch + " of this machine cannot compute on Apple's GPU";
    return facts.mps_usable ? "" : "this Mac has no GPU that LibTorch " + facts.torch + " can use";
}

std::string whyNotCuda(const DeviceFacts& facts, int index)
{
    if (!facts.nvidia_driver && facts.cuda_devices == 0)
        return "no NVIDIA driver is loaded";
    if (!facts.cuda_failure.empty())
        return "LibTorch's CUDA half could not be loaded (" + facts.cuda_failure + ")";
    if (!facts.cuda_built) {
        return "the LibTorch " + facts.torch
            + " of this machine was built without CUDA (scripts/setup.sh --torch cuda installs one "
              "that has it)";
    }
    if (facts.cuda_devices == 0)
        return "the NVIDIA driver shows no GPU that LibTorch " + facts.torch + " can use";
    if (index < facts.cuda_devices)
        return "";
    return facts.cuda_devices == 1
        ? "there is only one NVIDIA GPU, cuda:0"
        : "the NVIDIA GPUs are cuda:0 to cuda:" + std::to_string(facts.cuda_devices - 1);
}

Error unusable(const std::string& word, const Message& reason, const DeviceFacts& facts)
{
    std::string list;
    for (const std::string& device : usableDevices(facts))
        list += (list.empty() ? "" : ", ") + device;
    return {ErrorCode::Unsupported,
            {"The device \"%1\" cannot be used: %2; usable here: %3.", word, reason, list}};
}

} // namespace

DeviceFacts deviceFacts()
{
    DeviceFacts facts;
    facts.torch = torchVersion();
#ifdef __APPLE__
    facts.macos = true;
#endif
    facts.mps_built = EP_HAS_TORCH_MPS != 0;
    facts.mps_usable = mpsAvailable();
    std::error_code ignored;
    facts.nvidia_driver = std::filesystem::exists("/proc/driver/nvidia/version", ignored)
        || dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL) != nullptr; // WSL has only the library
    if (facts.nvidia_driver) // without a driver, opening gigabytes of kernels would be useless
        facts.cuda_failure = openCudaHalf();
    facts.cuda_built = cudaBuilt();
    facts.cuda_devices = cudaDeviceCount();
    return facts;
}

std::vector<std::string> usableDevices(const DeviceFacts& facts)
{
    std::vector<std::string> devices{"cpu"};
    if (whyNotMps(facts).empty())
        devices.emplace_back("mps");
    for (int i = 0; whyNotCuda(facts, i).empty(); ++i)
        devices.push_back("cuda:" + std::to_string(i));
    return devices;
}

Result<at::Device> chooseDevice(const std::string& word, const DeviceFacts& facts)
{
    if (word == "cpu")
        return at::Device(at::kCPU);
    const std::string mps = whyNotMps(facts);
    if (word == "mps" && !mps.empty())
        return unusable(word, mps, facts);
    if (word == "mps" || (word == "auto" && mps.empty()))
        return at::Device(at::kMPS);
    if (word == "auto" && !whyNotCuda(facts, 0).empty())
        return at::Device(at::kCPU);
    const std::optional<int> index = word == "auto" ? 0 : cudaIndex(word);
    if (!index) {
        return Error{
            ErrorCode::InvalidInput,
            {"There is no device \"%1\": known are auto, cpu, mps, cuda and cuda:N.", word}};
    }
    if (const std::string reason = whyNotCuda(facts, *index); !reason.empty())
        return unusable(word, reason, facts);
    return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(*index));
}

std::string deviceName(at::Device device)
{
    if (device.is_cuda())
        return "cuda:" + std::to_string(device.index());
    return device.is_cpu() ? "cpu" : "mps";
}

std::string whyItFails(at::Device device)
{
    if (device.is_cpu())
        return {};
    try {
        const at::Tensor ones = at::ones({64, 64}, at::TensorOptions(at::kFloat).device(device));
        if (const auto sum = at::mm(ones, ones).sum().item<float>(); sum == 64.0F * 64.0F * 64.0F)
            return {};
        return "the matmul of two small matrices comes out wrong";
    } catch (const std::exception& exception) {
        const std::string text = exception.what();
        return text.substr(0, text.find('\n'));
    }
}

bool canCompute(at::Device device, DType dtype)
{
    if (device.is_cpu() || dtype == DType::F32) // 16-bit weights are dequantized on the processor
        return true;
    try {
        const auto options = at::TensorOptions(dtype == DType::F16 ? at::kHalf : at::kBFloat16);
        const at::Tensor ones = at::ones({2, 2}, options.device(device));
        return at::mm(ones, ones).sum().item<float>() == 8.0F;
    } catch (const std::exception&) {
        return false;
    }
}

} // namespace ep::model

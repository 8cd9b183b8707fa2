// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_library_impl.h"

#include "blas.h"
#include "device.h"
#include "gpu/gpu_fused.h"
#include "gpu/gpu_matmul.h"
#include "guarded.h"
#include "kernel_measurement.h"
#include "torch_compat.h"
#include "torch_engine.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ep::model {
namespace {

class TorchEngineLibrary final : public EngineLibrary {
public:
    EngineVersions versions() const override
    {
        return {.torch = shownTorchVersion(TORCH_VERSION, torchVersion()), .blas = describeBlas()};
    }

    std::vector<std::string> devices() const override { return usableDevices(deviceFacts()); }

    Message whyUnusable() const override { return torchMismatch(TORCH_VERSION, torchVersion()); }

    Result<std::unique_ptr<Engine>> load(const LoadRequest& request, const ProgressFn& progress,
                                         CancelToken cancel) override
    {
        return guarded("loading the model", [&]() -> Result<std::unique_ptr<Engine>> {
            return std::unique_ptr<Engine>(
                std::make_unique<TorchEngine>(request, progress, std::move(cancel)));
        });
    }

    std::vector<DeviceKernelCheck> checkDeviceKernels() override
    {
        const c10::InferenceMode noGradients;
        std::vector<DeviceKernelCheck> checks;
        const DeviceFacts facts = deviceFacts();
        for (const std::string& word : usableDevices(facts)) {
            const auto device = chooseDevice(word, facts);
            const GpuLanguage* const language = device ? gpuLanguageOf(device->type()) : nullptr;
            if (!language)
                continue;
            std::ranges::move(checkGpuMatmul(*language, *device), std::back_inserter(checks));
            std::ranges::move(checkGpuFused(*language, *device), std::back_inserter(checks));
        }
        return checks;
    }

    Result<MatmulTimes> timeMatmuls(const MatmulRequest& request) override
    {
        return guarded("timing matmuls", [&] { return timeMatmulsOf(request); });
    }
};

} // namespace

std::unique_ptr<EngineLibrary> makeEngineLibrary()
{
    return std::make_unique<TorchEngineLibrary>();
}

} // namespace ep::model

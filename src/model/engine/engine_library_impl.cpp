// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_library_impl.h"

#include "blas.h"
#include "device.h"
#include "guarded.h"
#include "metal/metal_fused.h"
#include "metal/metal_products.h"
#include "product_times.h"
#include "torch_engine.h"
#include "torch_version.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ep::model {
namespace {

class TorchEngineLibrary final : public EngineLibrary {
public:
    EngineVersions versions() const override
    {
        return {.torch = shownTorchVersion(TORCH_VERSION, torchVersion()),
                .blas = describeBlas(),
                .devices = usableDevices(deviceFacts())};
    }

    std::string whyUnusable() const override
    {
        return torchMismatch(TORCH_VERSION, torchVersion());
    }

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
        if (!mpsAvailable())
            return {};
        const c10::InferenceMode noGradients;
        auto checks = checkMetalProducts(compileMetal, at::kMPS);
        std::ranges::move(checkMetalFused(compileMetal, at::kMPS), std::back_inserter(checks));
        return checks;
    }

    Result<ProductTimes> timeProducts(const ProductRequest& request) override
    {
        return guarded("timing products", [&] { return timeProductsOf(request); });
    }
};

} // namespace

std::unique_ptr<EngineLibrary> makeEngineLibrary()
{
    return std::make_unique<TorchEngineLibrary>();
}

} // namespace ep::model

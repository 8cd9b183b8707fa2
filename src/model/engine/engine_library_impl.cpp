// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_library_impl.h"

#include <torch/version.h>

namespace ep::model {
namespace {

class TorchEngineLibrary final : public EngineLibrary {
public:
    EngineVersions versions() const override
    {
        return {.torch = TORCH_VERSION, .blas = {}, .devices = {"cpu"}};
    }

    Result<std::unique_ptr<Engine>> load(const LoadRequest& request, const ProgressFn&,
                                         CancelToken) override
    {
        return Error{ErrorCode::Unsupported,
                     "The model in " + request.folder.string() + " cannot be loaded yet."};
    }
};

} // namespace

std::unique_ptr<EngineLibrary> makeEngineLibrary()
{
    return std::make_unique<TorchEngineLibrary>();
}

} // namespace ep::model

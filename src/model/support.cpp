// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include "ep/core/joined.h"
#include "ep/model/config.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace ep::model {
namespace {

constexpr std::array<std::string_view, 12> kActivations{"silu",
                                                        "swish",
                                                        "gelu",
                                                        "gelu_python",
                                                        "gelu_new",
                                                        "gelu_fast",
                                                        "gelu_pytorch_tanh",
                                                        "gelu_python_tanh",
                                                        "gelu_accurate",
                                                        "quick_gelu",
                                                        "relu",
                                                        "relu2"};

template <typename List>
bool isOneOf(const List& list, std::string_view item)
{
    return std::find(list.begin(), list.end(), item) != list.end();
}

} // namespace

Status checkSupported(const ModelConfig& config)
{
    const auto unsupported = [](const std::string& message) {
        return Error{ErrorCode::Unsupported, message};
    };
    if (!isOneOf(supportedArchitectures(), config.architecture)) {
        return unsupported(Message("The architecture %1 is not supported; supported are %2.",
                                   config.architecture, joined(supportedArchitectures())));
    }
    if (!config.quantization.empty()) {
        return unsupported(
            Message("The model is quantized (%1), in a way that this program does not read: use "
                    "the unquantized model (f32, f16 or bf16), with --dtype int8 or q4_k to "
                    "compute from fewer bits, or a GGUF file of it.",
                    config.quantization));
    }
    if (!isOneOf(kActivations, config.hidden_act)) {
        return unsupported(Message("The activation \"%1\" is not supported; supported are %2.",
                                   config.hidden_act, joined(kActivations)));
    }
    return {};
}

} // namespace ep::model

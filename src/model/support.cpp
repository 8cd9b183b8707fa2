// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"

#include "ep/model/config.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace ep::model {
namespace {

constexpr std::array<std::string_view, 11> kActivations{"silu",
                                                        "swish",
                                                        "gelu",
                                                        "gelu_python",
                                                        "gelu_new",
                                                        "gelu_fast",
                                                        "gelu_pytorch_tanh",
                                                        "gelu_python_tanh",
                                                        "gelu_accurate",
                                                        "quick_gelu",
                                                        "relu"};

// Display names of the methods in quantization_config.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kQuantizations{
    {{"gptq", "GPTQ"},
     {"awq", "AWQ"},
     {"bitsandbytes", "bitsandbytes"},
     {"compressed-tensors", "compressed-tensors"},
     {"fp8", "FP8"},
     {"fbgemm_fp8", "FP8"},
     {"mxfp4", "MXFP4"},
     {"aqlm", "AQLM"},
     {"hqq", "HQQ"},
     {"eetq", "EETQ"},
     {"quanto", "Quanto"},
     {"torchao", "torchao"}}};

std::string_view quantizationName(std::string_view method)
{
    for (const auto& [word, name] : kQuantizations) {
        if (word == method)
            return name;
    }
    return method;
}

template <typename List>
std::string joined(const List& list)
{
    std::string text;
    for (const std::string_view item : list)
        text += (text.empty() ? "" : ", ") + std::string(item);
    return text;
}

template <typename List>
bool contains(const List& list, std::string_view item)
{
    return std::find(list.begin(), list.end(), item) != list.end();
}

} // namespace

Status checkSupported(const ModelConfig& config)
{
    const auto unsupported = [](const std::string& message) {
        return Error{ErrorCode::Unsupported, message};
    };
    if (!contains(supportedArchitectures(), config.architecture)) {
        return unsupported("The architecture " + config.architecture
                           + " is not supported; supported are " + joined(supportedArchitectures())
                           + ".");
    }
    if (!config.quantization.empty()) {
        return unsupported("The model is quantised ("
                           + std::string(quantizationName(config.quantization))
                           + "), and its packed weights need kernels that this program does not "
                             "have: use the unquantised model (f32, f16 or bf16), and --dtype int8 "
                             "to compute from 8-bit weights.");
    }
    if (!contains(kActivations, config.hidden_act)) {
        return unsupported("The activation \"" + config.hidden_act
                           + "\" is not supported; supported are " + joined(kActivations) + ".");
    }
    return {};
}

} // namespace ep::model

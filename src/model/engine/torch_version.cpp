// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch_version.h"

#include <ATen/Version.h>
#include <torch/version.h>

namespace ep::model {
namespace {

// "2.13" for "2.13.0+cpu"
std::string_view minorOf(std::string_view version)
{
    const std::size_t first = version.find('.');
    return first == std::string_view::npos ? version
                                           : version.substr(0, version.find('.', first + 1));
}

} // namespace

std::string versionInConfig(std::string_view config)
{
    constexpr std::string_view kKey = "TORCH_VERSION=";
    const std::size_t key = config.find(kKey);
    if (key == std::string_view::npos)
        return {};
    const std::string_view rest = config.substr(key + kKey.size());
    return std::string(rest.substr(0, rest.find_first_of(", \n")));
}

const std::string& torchVersion()
{
    static const std::string version = [] {
        const std::string reported = versionInConfig(at::show_config());
        return reported.empty() ? std::string(TORCH_VERSION) : reported;
    }();
    return version;
}

std::string shownTorchVersion(std::string_view built, std::string_view opened)
{
    std::string shown(opened);
    if (built != opened)
        shown.append(" (the engine was built with ").append(built).append(")");
    return shown;
}

std::string torchMismatch(std::string_view built, std::string_view opened)
{
    if (minorOf(built) == minorOf(opened))
        return {};
    return "The inference engine was built with LibTorch " + std::string(built) + ", but LibTorch "
        + std::string(opened) + " is installed: build the program again, or install LibTorch "
        + std::string(minorOf(built)) + ".";
}

} // namespace ep::model

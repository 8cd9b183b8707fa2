// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch_compat.h"

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

const std::string& torchVersion()
{
    static const std::string version = [] {
        const std::string reported = buildOption("TORCH_VERSION");
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

Message torchMismatch(std::string_view built, std::string_view opened)
{
    if (minorOf(built) == minorOf(opened))
        return {};
    return {"The inference engine was built with LibTorch %1, but LibTorch %2 is installed: build "
            "the program again, or install LibTorch %3.",
            built, opened, minorOf(built)};
}

} // namespace ep::model

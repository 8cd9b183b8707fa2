// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

// The LibTorch that this process opened may differ from the one that the engine was compiled with,
// since a package manager can replace it under a finished build.
namespace ep::model {

// Version of the opened LibTorch, such as "2.13.0". Falls back to the version of the headers if the
// library does not report its own.
const std::string& torchVersion();

// How the version is shown: "2.13.1 (the engine was built with 2.13.0)", or only the version.
std::string shownTorchVersion(std::string_view built, std::string_view opened);

// Why an engine built with one version must not run with another; empty if it may. Only the patch
// level may differ, because LibTorch's C++ interface changes with every minor version.
std::string torchMismatch(std::string_view built, std::string_view opened);

} // namespace ep::model

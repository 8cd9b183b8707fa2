// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ep::ui {

enum class Page { Live, Analysis, History };

// What the command line says about the window.
struct GuiOptions {
    std::filesystem::path database; // empty: store::defaultDatabasePath()
    std::vector<std::filesystem::path> modelFolders; // folders that hold the bundled models
    std::string open; // id of a stored run, or its beginning
    Page page = Page::Live; // shown first; with `open` it is Analysis
};

// Opens the window and runs the event loop; returns the exit status of the process. Call it once,
// on the main thread, before any other Qt object exists. LibTorch is not touched until a run
// starts.
int runApplication(int& argc, char** argv, const GuiOptions& options);

} // namespace ep::ui

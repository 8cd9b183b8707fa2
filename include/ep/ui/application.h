// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ep::ui {

enum class Page { Live, Analysis, History, Compare, Insights };

// Command-line options of the window.
struct GuiOptions {
    std::filesystem::path database; // empty: store::defaultDatabasePath()
    std::vector<std::filesystem::path> modelFolders; // folders with the bundled models
    std::filesystem::path demoRun{}; // file of the recorded run; empty: none
    std::filesystem::path resources{}; // folder of the program's resources
    // Id or id prefix of a stored run, or the path of a run file or a model folder.
    std::string open{};
    Page page = Page::Live; // the first page; Analysis if `open` is set
    bool exitWhenShown = false; // for measuring the start-up time
    bool single = true; // passes the request on to a window that already shows this database
};

// Opens the window and runs the event loop; returns the exit status of the process. A second
// instance with the same database passes its request on to the first and ends. Call it once, on
// the main thread, before any other Qt object exists. LibTorch is not loaded until a run starts.
int runApplication(int& argc, char** argv, const GuiOptions& options);

} // namespace ep::ui

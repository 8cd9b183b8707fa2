// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/session/levers.h"

#include <CLI/CLI.hpp>

#include <string>

namespace ep::app {

// Adds --kv-cache alone, for commands that generate nothing.
void addKvCache(CLI::App& command, std::string& cache);

// Options that save work in a generation (docs/generation.md).
struct LeverOptions {
    void addTo(CLI::App& command);
    Result<session::Levers> levers() const; // an error if the draft does not exist

    std::string cache = "growing";
    bool prompt_cache = false;
    std::string draft{};
    int draft_tokens = session::kUsualDraftTokens;
};

} // namespace ep::app

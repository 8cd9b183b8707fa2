// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/study_runner.h"

#include <filesystem>
#include <string>

// A study as text for a terminal and as JSON (resources/schema/study_plan.schema.json,
// study_report.schema.json).
namespace ep::app {

std::string planText(const session::StudyPlan& plan);
std::string planJson(const session::StudySpec& spec, const session::StudyPlan& plan);
std::string reportText(const session::StudyReport& report);
// `file` is the HTML report; empty if there is none.
std::string reportJson(const session::StudyReport& report, const session::StudyResult& result,
                       const std::filesystem::path& file);

} // namespace ep::app

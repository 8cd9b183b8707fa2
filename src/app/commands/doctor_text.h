// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/model/engine_library.h"
#include "ep/model/library.h"
#include "ep/session/sensor_doctor.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ep::app {

struct EngineFindings {
    Result<model::EngineFile> file;
    std::optional<model::EngineVersions> versions; // if LibTorch was loaded
    std::vector<std::string> devices{}; // if LibTorch was loaded
    std::vector<model::DeviceKernelCheck> kernels{}; // if LibTorch was loaded
};

// All findings, before they are formatted as text or JSON.
struct DoctorFindings {
    Environment environment;
    session::SensorExam sensors;
    EngineFindings engine;
    std::vector<model::ModelListing> models;
    std::filesystem::path database;
    std::string database_problem; // empty: it is writable, or can be created
};

std::string doctorText(const DoctorFindings& findings);
std::string doctorJson(const DoctorFindings& findings);

} // namespace ep::app

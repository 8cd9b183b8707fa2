// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/diagnosed_run.h"

#include <cstdint>
#include <vector>

// The parts of a layer of the model that the simulated machine runs.
namespace ep::test {

enum class Role : std::uint8_t { Weights, Context, Head, Experts };

struct Part {
    Component component;
    double share; // share of a layer's parameters
    Role role;
};

inline constexpr double kParametersOfLayer = 2.0e8;

inline std::vector<Part> partsOf(const RunSetup& setup)
{
    if (setup.experts > 0)
        return {{Component::QProj, 0.15, Role::Weights},
                {Component::Attention, 0.0, Role::Context},
                {Component::OProj, 0.15, Role::Weights},
                {Component::Experts, 0.7, Role::Experts}};
    return {{Component::QProj, 0.15, Role::Weights},
            {Component::Attention, 0.0, Role::Context},
            {Component::OProj, 0.15, Role::Weights},
            {Component::GateUpProj, 0.45, Role::Weights},
            {Component::DownProj, 0.25, Role::Weights}};
}

} // namespace ep::test

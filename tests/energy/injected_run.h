// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/diagnosed_run.h"

#include "ep/energy/diagnosis.h"

#include <algorithm>

// Runs with a known cause, as the tests of diagnoses use them.
namespace ep::energy {

inline const Finding& findingOf(const Diagnosis& diagnosis, Cause cause)
{
    return *std::ranges::find(diagnosis.findings, cause, &Finding::cause);
}

inline ep::test::DiagnosedRun runWith(Cause cause, int strength)
{
    ep::test::RunSetup setup;
    ep::test::inject(setup, cause, strength);
    return ep::test::diagnosedRun(setup);
}

} // namespace ep::energy

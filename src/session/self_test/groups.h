// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/session/self_test.h"
#include "ep/session/sensor_doctor.h"

#include <memory>
#include <optional>

// The groups of checks, each in its own file.
namespace ep::session {

struct SelfTestContext {
    const SelfTestRequest& request;
    const Backend& backend;
    CancelToken cancel;
    std::function<void(SelfCheck)> report;
    std::shared_ptr<model::EngineLibrary> engine; // null: the library could not be opened

    void ok(const char* group, std::string name, const Message& detail) const
    {
        report({group, std::move(name), CheckState::Ok, detail.english(), {}});
    }
    void fail(const char* group, std::string name, const Message& detail, std::string remedy) const
    {
        report({group, std::move(name), CheckState::Failed, detail.english(), std::move(remedy)});
    }
    void notHere(const char* group, std::string name, const Message& detail) const
    {
        report({group, std::move(name), CheckState::NotHere, detail.english(), {}});
    }
};

void checkKernels(SelfTestContext& context); // every instruction set against the portable kernels
void checkDevices(SelfTestContext& context); // every device and number format against the processor
void checkMatmuls(SelfTestContext& context); // accelerators' kernels for block-quantized weights
void checkClocks(SelfTestContext& context); // the events of accelerators
void checkPower(SelfTestContext& context); // every power source, with a load
void checkDatabase(SelfTestContext& context); // written and read concurrently
void checkBundle(SelfTestContext& context); // on macOS: its signature
void checkActivity(SelfTestContext& context); // whether the machine can be kept awake

// One source of checkPower(). otherShare: share of the processor that other programs use.
void judgeSensor(const SelfTestContext& context, const SensorCheck& check,
                 std::optional<double> otherShare);

} // namespace ep::session

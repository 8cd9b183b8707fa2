// SPDX-License-Identifier: GPL-3.0-or-later
// runs why: spans and work of the real engine, power of simulated machines with known costs.
#include "app/cli_fixture.h"

#include "ep/core/machine_record.h"
#include "ep/energy/attribute.h"
#include "ep/energy/work_curve.h"
#include "ep/store/run_json.h"
#include "ep/store/store.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <random>

namespace {

using namespace ep;
using nlohmann::json;
using test::CliTest;
using test::Outcome;

struct Constant {
    double truth = 0.0;
    MeasuredConstant measured;
};

// A machine with an error of 1 % in each measured constant, and kinds of work that cost up to 2 %
// more or less than average.
class SimulatedMachine {
public:
    explicit SimulatedMachine(std::uint32_t seed)
        : m_engine(seed)
        , flop(make(3e-12))
        , byte(make(60e-12))
        , watts(make(7.0))
    {
        for (double& factor : m_factors.values)
            factor = 1.0 + uniform(-0.02, 0.02);
        m_factors.prefill = m_factors.values;
    }

    // Adds samples of 5 ms with noise of 0.5 %, in whole microjoules.
    void meter(RunTrace& trace)
    {
        const energy::WorkCurve work(trace, m_factors);
        std::normal_distribution<double> noise(1.0, 0.005);
        trace.samples.clear();
        constexpr Nanoseconds kWindow = 5'000'000;
        for (Nanoseconds at = trace.time.begin_ns - kWindow; at < trace.time.end_ns;
             at += kWindow) {
            PowerSample sample;
            sample.window = {at, at + kWindow};
            sample.arrival_ns = sample.window.end_ns;
            const auto done = work.over(sample.window);
            const double joules = done.flops * flop.truth + done.bytes * byte.truth
                + toSeconds(kWindow) * watts.truth;
            sample.energy_mj[Rail::Cpu] =
                Millijoules{std::round(joules * noise(m_engine) * 1e6) / 1e3};
            sample.power_mw[Rail::Cpu] = meanPower(*sample.energy_mj[Rail::Cpu], kWindow);
            sample.total_mw = totalOf(sample.power_mw);
            trace.samples.push_back(sample);
        }
    }

private:
    double uniform(double low, double high)
    {
        return std::uniform_real_distribution<double>(low, high)(m_engine);
    }
    Constant make(double usual)
    {
        const double truth = usual * uniform(0.7, 1.4);
        std::normal_distribution<double> error(1.0, 0.01);
        return {truth, {truth * error(m_engine), 0.01 * truth}};
    }

    std::mt19937 m_engine;
    energy::KindFactors m_factors;

public:
    Constant flop;
    Constant byte;
    Constant watts;
};

class WhyCommand : public CliTest {
protected:
    ep::Run realRun()
    {
        const auto file = folder() / "run.json";
        const Outcome made = run({"run", "--model", "demo-llama-5m", "--prompt", "Once upon a time",
                                  "--max-new-tokens", "64", "--threads", "1", "--power", "none",
                                  "--json-file", file.string(), "--no-save"});
        EXPECT_EQ(made.status, 0) << made.err;
        std::ifstream text(file);
        auto read = store::runFromJson(text);
        EXPECT_TRUE(read) << read.error().message;
        return read ? std::move(*read) : ep::Run{};
    }
};

TEST_F(WhyCommand, DividesTheRealEnginesWorkAsTheMachineDid)
{
    const ep::Run recorded = realRun();
    ASSERT_FALSE(recorded.trace.components.empty());
    const auto work = energy::WorkCurve(recorded.trace).over(recorded.trace.time);
    const double seconds = toSeconds(recorded.trace.time.duration_ns());
    constexpr int kMachines = 20;
    int held = 0;
    for (std::uint32_t seed = 1; seed <= kMachines; ++seed) {
        SimulatedMachine machine(seed);
        ep::Run metered = recorded;
        metered.info.id = "00000000-0000-4000-8000-0000000000" + std::to_string(10 + seed);
        machine.meter(metered.trace);
        metered.info.power.source = "rapl";
        energy::attribute(metered, {});
        auto store = store::Store::open(database());
        ASSERT_TRUE(store) << store.error().message;
        ASSERT_TRUE((*store)->importRun(metered));
        MachineRecord limits;
        limits.machine = machineKey(metered.info.environment);
        limits.device = metered.info.device;
        limits.dtype = metered.info.dtype;
        limits.flops_per_second = {1e13, 1e11};
        limits.bytes_per_second = {work.bytes / seconds, 0.01 * work.bytes / seconds};
        limits.joules_per_flop = machine.flop.measured;
        limits.joules_per_byte = machine.byte.measured;
        limits.static_watts = machine.watts.measured;
        limits.source = "rapl";
        ASSERT_TRUE((*store)->saveMachine(limits));
        store->reset();

        const Outcome told = run({"runs", "why", metered.info.id, "--json"});
        ASSERT_EQ(told.status, 0) << told.err;
        const json why = json::parse(told.out);
        ASSERT_EQ(why.at("quantity"), "energy") << told.out;
        const json& parts = why.at("division");
        const auto holds = [&](const char* name, double truth) {
            const json& part = parts.at(name);
            held += part.at("low") <= truth && truth <= part.at("high") ? 1 : 0;
            EXPECT_NEAR(part.at("value").get<double>(), truth, 0.05 * truth) << name;
        };
        holds("compute", work.flops * machine.flop.truth);
        holds("memory", work.bytes * machine.byte.truth);
        holds("static", seconds * machine.watts.truth);
    }
    EXPECT_GE(held, 3 * kMachines * 85 / 100); // 95 % of them, minus four standard deviations
}

} // namespace

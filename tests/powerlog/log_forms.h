// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/powerlog/read.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

// Logs of known energies in the forms that tools write, for tests that change them.
namespace ep::powerlog::test {

// Draws the same numbers with every standard library.
class Dice {
public:
    explicit Dice(std::uint32_t seed)
        : m_engine(seed)
    {
    }
    std::size_t below(std::size_t limit) { return m_engine() % limit; }
    bool once(std::size_t in) { return below(in) == 0; }

private:
    std::mt19937 m_engine;
};

struct Truth {
    std::string rail;
    double joules = 0.0;
};

// A log as cells, so that a change knows what it changes.
struct MadeLog {
    std::string form;
    std::string before; // lines before the header
    std::vector<std::vector<std::string>> rows; // the first one is the header
    char delimiter = ',';
    std::size_t time = 0; // columns
    std::vector<std::size_t> values;
    std::vector<Truth> truths;
    ReadOptions options{};
    double step_s = 1.0;

    std::string text() const;
};

// A quarter of the time at a low power, half of it at a high one.
std::vector<double> powersOf(Dice& dice, std::size_t rows, double low, double high);
double trapezoid(const std::vector<double>& watts, double step_s);
double sumOf(const std::vector<double>& watts, double step_s);
std::string fixed(double value, int decimals);

using MakeLog = MadeLog (*)(Dice& dice);
struct LogForm {
    const char* name;
    MakeLog make;
};
std::vector<LogForm> logForms();

} // namespace ep::powerlog::test

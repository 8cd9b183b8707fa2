// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace ep::text::jinja {

// Bounds on one rendering, so that no template can hang the program, fill the memory or overflow
// the stack (half a megabyte on some threads).
struct Limits {
    std::size_t steps = 5'000'000; // of evaluation; long texts count more than one
    std::size_t outputBytes = 16U << 20U;
    int depth = 200; // of nested blocks, expressions and macro calls
};

constexpr std::size_t kMaxTemplateBytes = 1U << 20U;
constexpr int kMaxNesting = 100; // of the parts of a template while it is read
constexpr int kMaxValueDepth = 64; // of lists in lists
constexpr std::size_t kMaxRange = 100'000; // as Jinja's sandbox has it
constexpr std::size_t kMaxTextBytes = 16U << 20U; // of one value

// What ends reading or rendering; caught in template.cpp and turned into an Error there.
class Failure : public std::runtime_error {
public:
    explicit Failure(const std::string& message, int line = 0)
        : std::runtime_error(message)
        , m_line(line)
    {
    }
    int line() const { return m_line; } // 0: where the evaluation is

private:
    int m_line;
};

// The template called raise_exception().
class Refusal : public Failure {
public:
    using Failure::Failure;
};

} // namespace ep::text::jinja

// SPDX-License-Identifier: GPL-3.0-or-later
#include "operators.h"

#include <cmath>

namespace ep::text::jinja {

namespace {

using Operator = Binary::Operator;

constexpr std::string_view kTooLarge = "a number grows too large";

std::int64_t checked(bool overflows, std::int64_t result)
{
    if (overflows)
        throw Failure(std::string(kTooLarge));
    return result;
}

std::int64_t multiply(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    const bool overflows = __builtin_mul_overflow(a, b, &result);
    return checked(overflows, result);
}

// Rounds down, as Python does.
std::int64_t floorDivide(std::int64_t a, std::int64_t b)
{
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Value power(std::int64_t base, std::int64_t exponent)
{
    if (exponent < 0) {
        if (base == 0)
            throw Failure("zero cannot be raised to a negative power");
        return Value(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
    }
    std::int64_t result = 1;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1)
            result = multiply(result, base);
        if (exponent > 1)
            base = multiply(base, base);
    }
    return Value(result);
}

Value integerArithmetic(Operator op, std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    const bool divides =
        op == Operator::Divide || op == Operator::FloorDivide || op == Operator::Modulo;
    if (divides && b == 0)
        throw Failure("a number is divided by zero");
    switch (op) {
    case Operator::Add: {
        const bool overflows = __builtin_add_overflow(a, b, &result);
        return Value(checked(overflows, result));
    }
    case Operator::Subtract: {
        const bool overflows = __builtin_sub_overflow(a, b, &result);
        return Value(checked(overflows, result));
    }
    case Operator::Multiply:
        return Value(multiply(a, b));
    case Operator::Divide:
        return Value(static_cast<double>(a) / static_cast<double>(b));
    case Operator::FloorDivide:
        if (b == -1)
            return integerArithmetic(Operator::Subtract, 0, a);
        return Value(floorDivide(a, b));
    case Operator::Modulo:
        if (b == -1)
            return Value(std::int64_t{0});
        return Value(a - floorDivide(a, b) * b);
    case Operator::Power:
        return power(a, b);
    default:
        throw Failure("unknown operator");
    }
}

Value floatArithmetic(Operator op, double a, double b)
{
    const bool divides =
        op == Operator::Divide || op == Operator::FloorDivide || op == Operator::Modulo;
    if (divides && b == 0)
        throw Failure("a number is divided by zero");
    switch (op) {
    case Operator::Add:
        return Value(a + b);
    case Operator::Subtract:
        return Value(a - b);
    case Operator::Multiply:
        return Value(a * b);
    case Operator::Divide:
        return Value(a / b);
    case Operator::FloorDivide:
        return Value(std::floor(a / b));
    case Operator::Modulo: {
        const double rest = std::fmod(a, b);
        return Value(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
    }
    case Operator::Power:
        return Value(std::pow(a, b));
    default:
        throw Failure("unknown operator");
    }
}

} // namespace

Value arithmeticOfNumbers(Operator op, const Value& left, const Value& right)
{
    return left.isIntegral() && right.isIntegral()
        ? integerArithmetic(op, left.integer(), right.integer())
        : floatArithmetic(op, left.number(), right.number());
}

} // namespace ep::text::jinja

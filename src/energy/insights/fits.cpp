// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/insights.h"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace ep::energy {

double PowerLaw::at(double x) const
{
    return factor * std::pow(x, exponent);
}

std::optional<Interval> PowerLaw::bandAt(double x) const
{
    if (!(t_quantile > 0.0) || !(x > 0.0))
        return std::nullopt;
    const double distance = std::log(x) - mean_log_x;
    const double error =
        residual_sd * std::sqrt(1.0 / static_cast<double>(n) + distance * distance / sxx);
    const double width = std::exp(t_quantile * error);
    return Interval{at(x) / width, at(x) * width};
}

std::optional<PowerLaw> fitPowerLaw(const std::vector<double>& x, const std::vector<double>& y)
{
    std::vector<double> logX;
    std::vector<double> logY;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
        if (x[i] > 0.0 && y[i] > 0.0 && std::isfinite(x[i]) && std::isfinite(y[i])) {
            logX.push_back(std::log(x[i]));
            logY.push_back(std::log(y[i]));
        }
    }
    if (std::set<double>(logX.begin(), logX.end()).size() < 3)
        return std::nullopt;
    PowerLaw fit;
    fit.n = static_cast<std::int64_t>(logX.size());
    fit.mean_log_x = meanOf(logX);
    const double meanY = meanOf(logY);
    double sxy = 0.0;
    double syy = 0.0;
    for (std::size_t i = 0; i < logX.size(); ++i) {
        const double dx = logX[i] - fit.mean_log_x;
        const double dy = logY[i] - meanY;
        fit.sxx += dx * dx;
        sxy += dx * dy;
        syy += dy * dy;
    }
    fit.exponent = sxy / fit.sxx;
    fit.factor = std::exp(meanY - fit.exponent * fit.mean_log_x);
    const double residual = std::max(0.0, syy - fit.exponent * sxy);
    fit.r2 = syy > 0.0 ? 1.0 - residual / syy : 1.0;
    const auto df = static_cast<double>(fit.n - 2);
    fit.residual_sd = std::sqrt(residual / df);
    fit.t_quantile = boost::math::quantile(boost::math::students_t(df), 0.975);
    const double half = fit.t_quantile * fit.residual_sd / std::sqrt(fit.sxx);
    fit.exponent_ci95 = Interval{fit.exponent - half, fit.exponent + half};
    return fit;
}

std::vector<std::size_t> paretoFront(const std::vector<double>& x, const std::vector<double>& y)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
        if (std::isfinite(x[i]) && std::isfinite(y[i]))
            order.push_back(i);
    }
    // From the fastest on, keeps only points that cost less than all faster ones.
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return x[a] != x[b] ? x[a] > x[b] : y[a] < y[b];
    });
    std::vector<std::size_t> front;
    double cheapest = std::numeric_limits<double>::infinity();
    for (const std::size_t i : order) {
        if (y[i] < cheapest) {
            cheapest = y[i];
            front.push_back(i);
        }
    }
    std::reverse(front.begin(), front.end());
    return front;
}

std::optional<std::size_t> kneeOf(const std::vector<std::size_t>& front,
                                  const std::vector<double>& x, const std::vector<double>& y)
{
    if (front.size() < 3)
        return std::nullopt;
    const double width = x[front.back()] - x[front.front()];
    const double height = y[front.back()] - y[front.front()];
    std::size_t best = 0;
    double furthest = 0.0;
    for (std::size_t i = 1; i + 1 < front.size(); ++i) {
        const double across = (x[front[i]] - x[front.front()]) / width;
        const double up = (y[front[i]] - y[front.front()]) / height;
        const double distance = std::abs(across - up);
        if (distance > furthest) {
            furthest = distance;
            best = i;
        }
    }
    return furthest > 0.0 ? std::optional(best) : std::nullopt;
}

} // namespace ep::energy

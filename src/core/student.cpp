// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/student.h"

#include <boost/math/distributions/students_t.hpp>

namespace ep {

double studentQuantile(double p, double freedom)
{
    return boost::math::quantile(boost::math::students_t(freedom), p);
}

} // namespace ep

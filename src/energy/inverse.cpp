// SPDX-License-Identifier: GPL-3.0-or-later
#include "inverse.h"

// Neither the types with which uBLAS checks results nor its usual storage compile as C++20.
#define BOOST_UBLAS_NDEBUG 1
// The iterators of uBLAS derive from std::iterator, about which libc++ warns.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <boost/numeric/ublas/lu.hpp>
#include <boost/numeric/ublas/matrix.hpp>
#pragma GCC diagnostic pop

#include <cstddef>

namespace ep::energy {

std::optional<SquareMatrix> inverseOf(const SquareMatrix& matrix)
{
    namespace ublas = boost::numeric::ublas;
    using Dense = ublas::matrix<double, ublas::row_major, std::vector<double>>;
    const std::size_t n = matrix.size();
    Dense factors(n, n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k)
            factors(i, k) = matrix[i][k];
    }
    ublas::permutation_matrix<std::size_t, std::vector<std::size_t>> order(n);
    if (ublas::lu_factorize(factors, order) != 0)
        return std::nullopt;
    Dense inverse = ublas::identity_matrix<double>(n);
    ublas::lu_substitute(factors, order, inverse);
    SquareMatrix result(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k)
            result[i][k] = inverse(i, k);
    }
    return result;
}

double dot(const std::vector<double>& a, const std::vector<double>& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

std::vector<double> product(const SquareMatrix& matrix, const std::vector<double>& vector)
{
    std::vector<double> result(vector.size());
    for (std::size_t i = 0; i < vector.size(); ++i)
        result[i] = dot(matrix[i], vector);
    return result;
}

} // namespace ep::energy

// SPDX-License-Identifier: GPL-3.0-or-later
// Read by Clang only, to see that products.metal names an address space wherever Metal asks for one
// and keeps to C++14, which Metal's language is based on.
#include "metal/products.metal"

#define EP_KERNELS(format, activation)                                                             \
    template decltype(vectorProduct<format, activation>) vectorProduct<format, activation>;        \
    template decltype(tileProduct<format, activation>) tileProduct<format, activation>;
#define EP_FORMAT(format)                                                                          \
    EP_KERNELS(format, InF32) EP_KERNELS(format, InF16) EP_KERNELS(format, InBf16)

EP_FORMAT(Q8_0)
EP_FORMAT(Q4_0)
EP_FORMAT(Q4_K)
EP_FORMAT(Q5_K)
EP_FORMAT(Q6_K)
EP_FORMAT(Mlx4)
EP_FORMAT(Mlx6)
EP_FORMAT(Mlx8)

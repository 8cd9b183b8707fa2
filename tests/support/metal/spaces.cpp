// SPDX-License-Identifier: GPL-3.0-or-later
// Only compiled by Clang, to check that the text of the kernels names an address space wherever
// Metal requires one and keeps to C++14, on which Metal's language is based.
// Each file uses definitions of the previous one.
// clang-format off
#include "gpu/numbers.metal"
#include "gpu/formats.metal"
#include "gpu/matmul.metal"
#include "gpu/fused.metal"
// clang-format on

#define EP_KERNELS(format, activation)                                                             \
    template decltype(gemv<format, activation>) gemv<format, activation>;                          \
    template decltype(tileMatmul<format, activation>) tileMatmul<format, activation>;              \
    template decltype(dequantizeUnit<format, activation>) dequantizeUnit<format, activation>;
#define EP_FORMAT(format)                                                                          \
    EP_KERNELS(format, InF32) EP_KERNELS(format, InF16) EP_KERNELS(format, InBf16)

EP_FORMAT(Q8_0)
EP_FORMAT(Q4_0)
EP_FORMAT(Q4_1)
EP_FORMAT(Q5_0)
EP_FORMAT(Q5_1)
EP_FORMAT(Q2_K)
EP_FORMAT(Q3_K)
EP_FORMAT(Q4_K)
EP_FORMAT(Q5_K)
EP_FORMAT(Q6_K)
EP_FORMAT(Iq4Nl)
EP_FORMAT(Iq4Xs)
EP_FORMAT(Mxfp4)
EP_FORMAT(Nvfp4)
EP_FORMAT(Mlx1)
EP_FORMAT(Mlx2)
EP_FORMAT(Mlx3)
EP_FORMAT(Mlx4)
EP_FORMAT(Mlx5)
EP_FORMAT(Mlx6)
EP_FORMAT(Mlx8)
EP_FORMAT(MlxE2M1)
EP_FORMAT(Fp8)

#define EP_NORM(activation, weight)                                                                \
    template decltype(normalizeRow<activation, weight>) normalizeRow<activation, weight>;
#define EP_FUSED(activation)                                                                       \
    EP_NORM(activation, activation)                                                                \
    template decltype(rotateValue<activation>) rotateValue<activation>;                            \
    template decltype(gateValue<activation>) gateValue<activation>;                                \
    template decltype(summarize<activation>) summarize<activation>;

EP_FUSED(InF32)
EP_FUSED(InF16)
EP_FUSED(InBf16)
EP_NORM(InF16, InF32)
EP_NORM(InBf16, InF32)

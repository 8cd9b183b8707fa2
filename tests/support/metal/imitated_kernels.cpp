// SPDX-License-Identifier: GPL-3.0-or-later
// The text that Metal compiles on a Mac, compiled as C++. A separate translation unit, because it
// defines Metal's keywords as macros.
#include "support/metal/imitated_kernels.h"

#include "gpu/gpu_formats.h"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#pragma GCC diagnostic ignored "-Wattributes" // allows [[buffer(0)]]
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunknown-attributes"
#endif
// Each file uses definitions of the previous one.
// clang-format off
#include "gpu/numbers.metal"
#include "gpu/formats.metal"
#include "gpu/matmul.metal"
#include "gpu/fused.metal"
// clang-format on

static_assert(sizeof(Shape) == sizeof(ep::model::GpuShape));
static_assert(ep::model::kGpuVector.rows == kVectorRows * kVectorGroups);
static_assert(ep::model::kGpuVector.threads == kVectorGroups * kLanes);
static_assert(ep::model::kGpuTile.rows == kTileRows);
static_assert(ep::model::kGpuTile.inputs == kTileInputs);
static_assert(ep::model::kGpuTile.threads == kTileThreads);
static_assert(ep::model::kGpuDequantizeThreads == kDequantizeThreads);
static_assert(kLanes == ep::test::metal::kLanes);

namespace ep::test::metal {
namespace {

// A kernel's parameters are buffers, its constants and the thread's position (the last three).
constexpr std::size_t kPlaces = 3;

template <typename Argument>
Argument bound(void* buffer)
{
    if constexpr (std::is_reference_v<Argument>)
        return *static_cast<std::remove_reference_t<Argument>*>(buffer);
    else
        return static_cast<Argument>(buffer);
}

template <auto kKernel, typename... Arguments>
constexpr ImitatedKernel imitated(void (*)(Arguments...))
{
    using All = std::tuple<Arguments...>;
    constexpr std::size_t kBound = sizeof...(Arguments) - kPlaces;
    using Constants = std::remove_cvref_t<std::tuple_element_t<kBound - 1, All>>;
    return {
        .run =
            [](void* const* buffers, const std::array<std::uint32_t, 3>& group, unsigned index) {
                [&]<std::size_t... kIndices>(std::index_sequence<kIndices...>)
                {
                    kKernel(bound<std::tuple_element_t<kIndices, All>>(buffers[kIndices])...,
                            uint3{group[0], group[1], group[2]}, index / kLanes, index % kLanes);
                }
                (std::make_index_sequence<kBound>());
            },
        .buffers = kBound - 1,
        .constant_bytes = sizeof(Constants)};
}

#define EP_KERNEL(...)                                                                             \
    {                                                                                              \
#__VA_ARGS__, imitated < __VA_ARGS__>(__VA_ARGS__)                                         \
    }
#define EP_NORM(activation, weight) EP_KERNEL(normalizeRow<activation, weight>)
#define EP_FUSED(activation)                                                                       \
    EP_NORM(activation, activation), EP_KERNEL(rotateValue<activation>),                           \
        EP_KERNEL(gateValue<activation>), EP_KERNEL(summarize<activation>)
#define EP_PRODUCTS(format, activation)                                                            \
    EP_KERNEL(gemv<format, activation>), EP_KERNEL(tileMatmul<format, activation>),                \
        EP_KERNEL(dequantizeUnit<format, activation>)
#define EP_FORMAT(format)                                                                          \
    EP_PRODUCTS(format, InF32), EP_PRODUCTS(format, InF16), EP_PRODUCTS(format, InBf16)

} // namespace

const std::map<std::string, ImitatedKernel>& imitatedKernels()
{
    static const std::map<std::string, ImitatedKernel> kernels{
        EP_FORMAT(Q8_0),  EP_FORMAT(Q4_0),    EP_FORMAT(Q4_1),       EP_FORMAT(Q5_0),
        EP_FORMAT(Q5_1),  EP_FORMAT(Q2_K),    EP_FORMAT(Q3_K),       EP_FORMAT(Q4_K),
        EP_FORMAT(Q5_K),  EP_FORMAT(Q6_K),    EP_FORMAT(Iq4Nl),      EP_FORMAT(Iq4Xs),
        EP_FORMAT(Mxfp4), EP_FORMAT(Nvfp4),   EP_FORMAT(Mlx1),       EP_FORMAT(Mlx2),
        EP_FORMAT(Mlx3),  EP_FORMAT(Mlx4),    EP_FORMAT(Mlx5),       EP_FORMAT(Mlx6),
        EP_FORMAT(Mlx8),  EP_FORMAT(MlxE2M1), EP_FORMAT(Fp8),        EP_FUSED(InF32),
        EP_FUSED(InF16),  EP_FUSED(InBf16),   EP_NORM(InF16, InF32), EP_NORM(InBf16, InF32)};
    return kernels;
}

} // namespace ep::test::metal

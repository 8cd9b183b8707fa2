// SPDX-License-Identifier: GPL-3.0-or-later
// The text that Metal compiles on a Mac, compiled as C++. A translation unit of its own, because
// Metal's words are macros here.
#include "support/metal/imitated_kernels.h"

#include "metal/metal_formats.h"

#pragma GCC diagnostic ignored "-Wattributes" // [[buffer(0)]]
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunknown-attributes"
#endif
// Each uses what the one before defines.
// clang-format off
#include "metal/numbers.metal"
#include "metal/formats.metal"
#include "metal/products.metal"
#include "metal/fused.metal"
// clang-format on

static_assert(sizeof(Shape) == sizeof(ep::model::MetalShape));
static_assert(ep::model::kMetalVector.rows == kVectorRows * kVectorGroups);
static_assert(ep::model::kMetalVector.threads == kVectorGroups * kLanes);
static_assert(ep::model::kMetalTile.rows == kTileRows);
static_assert(ep::model::kMetalTile.inputs == kTileInputs);
static_assert(ep::model::kMetalTile.threads == kTileThreads);
static_assert(kLanes == ep::test::metal::kLanes);

namespace ep::test::metal {
namespace {

template <typename Activation, auto kKernel>
void call(void* const* buffers, const std::array<std::uint32_t, 3>& group, unsigned thread_index)
{
    using Stored = typename Activation::Stored;
    kKernel(static_cast<const uchar*>(buffers[0]), static_cast<const uchar*>(buffers[1]),
            static_cast<const uchar*>(buffers[2]), static_cast<const float*>(buffers[3]),
            static_cast<const Stored*>(buffers[4]), static_cast<const Stored*>(buffers[5]),
            static_cast<Stored*>(buffers[6]), *static_cast<const Shape*>(buffers[7]),
            uint3{group[0], group[1], group[2]}, thread_index / kLanes, thread_index % kLanes);
}

template <typename Activation, typename Weight>
void callNorm(void* const* buffers, const std::array<std::uint32_t, 3>& group,
              unsigned thread_index)
{
    using Stored = typename Activation::Stored;
    normalizeRow<Activation, Weight>(
        static_cast<const Stored*>(buffers[0]),
        static_cast<const typename Weight::Stored*>(buffers[1]),
        static_cast<const typename Weight::Stored*>(buffers[2]), static_cast<Stored*>(buffers[3]),
        *static_cast<const NormShape*>(buffers[4]), uint3{group[0], group[1], group[2]},
        thread_index / kLanes, thread_index % kLanes);
}

template <typename Activation>
void callRotation(void* const* buffers, const std::array<std::uint32_t, 3>& group,
                  unsigned thread_index)
{
    using Stored = typename Activation::Stored;
    rotateValue<Activation>(
        static_cast<const Stored*>(buffers[0]), static_cast<const Stored*>(buffers[1]),
        static_cast<const Stored*>(buffers[2]), static_cast<Stored*>(buffers[3]),
        *static_cast<const RotationShape*>(buffers[4]), uint3{group[0], group[1], group[2]},
        thread_index / kLanes, thread_index % kLanes);
}

template <typename Activation>
void callGate(void* const* buffers, const std::array<std::uint32_t, 3>& group,
              unsigned thread_index)
{
    using Stored = typename Activation::Stored;
    gateValue<Activation>(
        static_cast<const Stored*>(buffers[0]), static_cast<const Stored*>(buffers[1]),
        static_cast<Stored*>(buffers[2]), *static_cast<const GateShape*>(buffers[3]),
        uint3{group[0], group[1], group[2]}, thread_index / kLanes, thread_index % kLanes);
}

#define EP_KERNELS(format, activation)                                                             \
    {"vectorProduct<" #format ", " #activation ">",                                                \
     {call<activation, vectorProduct<format, activation>>, 7, sizeof(Shape)}},                     \
    {                                                                                              \
        "tileProduct<" #format ", " #activation ">",                                               \
        {                                                                                          \
            call<activation, tileProduct<format, activation>>, 7, sizeof(Shape)                    \
        }                                                                                          \
    }
#define EP_NORM(activation, weight)                                                                \
    {                                                                                              \
        "normalizeRow<" #activation ", " #weight ">",                                              \
        {                                                                                          \
            callNorm<activation, weight>, 4, sizeof(NormShape)                                     \
        }                                                                                          \
    }
#define EP_FUSED(activation)                                                                       \
    EP_NORM(activation, activation),                                                               \
        {"rotateValue<" #activation ">", {callRotation<activation>, 4, sizeof(RotationShape)}},    \
    {                                                                                              \
        "gateValue<" #activation ">",                                                              \
        {                                                                                          \
            callGate<activation>, 3, sizeof(GateShape)                                             \
        }                                                                                          \
    }
#define EP_FORMAT(format)                                                                          \
    EP_KERNELS(format, InF32), EP_KERNELS(format, InF16), EP_KERNELS(format, InBf16)

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

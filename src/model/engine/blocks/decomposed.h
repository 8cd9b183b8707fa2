// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step.h"

namespace ep::model {

// Parts of a layer that are one fast operation or, if the step is decomposed, a sequence of single
// operations, each with a tap. The results are equal up to rounding.

// out = norm(x), [rows, hidden]
void normalized(Step& step, Component of, const Matrix& x, const Norm& norm, Matrix& out);

// Normalises each head of x [rows, heads * head_dim] separately, in place.
void normalizedHeads(Step& step, Component of, Matrix& x, const Norm& norm, std::int64_t heads);

// Normalises the heads like normalizedHeads(), but within a component.
void normalizeHeads(Step& step, Component of, Matrix& x, const Norm& norm, std::int64_t heads);

// out = f(x), or f(x) * multiplier; out may be x
void activated(Step& step, Activation kind, const Matrix& x, const Matrix* multiplier, Matrix& out);

// Rotates queries and keys, for families that normalise them afterwards.
void rotatedFirst(Step& step, Matrix& queries, Matrix& keys, const AttentionShape& shape,
                  const RotaryAngles& angles);

// Rotates queries and the keys just stored, and attends: out [rows, heads * head_dim].
void attended(Step& step, Matrix& queries, const AttentionShape& shape, const RotaryAngles& angles,
              Matrix& out);

} // namespace ep::model

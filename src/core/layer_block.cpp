// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/layer_block.h"

#include "ep/core/own_part.h"

namespace ep {

LayerBlock blockOf(Component component)
{
    switch (component) {
    case Component::QProj:
    case Component::KProj:
    case Component::VProj:
    case Component::QkvProj:
    case Component::QAProj:
    case Component::QANorm:
    case Component::QBProj:
    case Component::KvAProj:
    case Component::KvANorm:
    case Component::KvBProj:
    case Component::QNorm:
    case Component::KNorm:
    case Component::VNorm:
    case Component::KvCache:
    case Component::Attention:
    case Component::OutputGate:
    case Component::OProj:
    case Component::InProj:
    case Component::InProjQkv:
    case Component::InProjZ:
    case Component::InProjBa:
    case Component::Conv1d:
    case Component::DeltaRule:
    case Component::Scan:
    case Component::GatedNorm:
    case Component::OutProj:
        return LayerBlock::Attention;
    case Component::GateProj:
    case Component::UpProj:
    case Component::GateUpProj:
    case Component::Fc1:
    case Component::Activation:
    case Component::DownProj:
    case Component::Fc2:
    case Component::Router:
    case Component::Experts:
    case Component::SharedExpert:
    case Component::PerLayerInputGate:
    case Component::PerLayerProjection:
        return LayerBlock::Mlp;
    case Component::InputLayernorm:
    case Component::PostAttentionLayernorm:
    case Component::PreFeedforwardLayernorm:
    case Component::PostFeedforwardLayernorm:
    case Component::PostFeedforwardLayernorm1:
    case Component::PreFeedforwardLayernorm2:
    case Component::PostFeedforwardLayernorm2:
    case Component::PostPerLayerInputNorm:
    case Component::Residual:
        return LayerBlock::Neither;
    }
    return blockOfOwn(component);
}

} // namespace ep

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

// Names of architectures and of parts in HuggingFace's files, and in GGUF.
namespace ep::test {

inline const std::map<std::string, std::string>& architectures()
{
    static const std::map<std::string, std::string> kNames{
        {"LlamaForCausalLM", "llama"},
        {"MistralForCausalLM", "llama"},
        {"MixtralForCausalLM", "llama"},
        {"Qwen2ForCausalLM", "qwen2"},
        {"Qwen3ForCausalLM", "qwen3"},
        {"Qwen3MoeForCausalLM", "qwen3moe"},
        {"PhiForCausalLM", "phi2"},
        {"Phi3ForCausalLM", "phi3"},
        {"GemmaForCausalLM", "gemma"},
        {"Gemma2ForCausalLM", "gemma2"},
        {"Gemma3ForCausalLM", "gemma3"},
        {"StableLmForCausalLM", "stablelm"},
        {"GPT2LMHeadModel", "gpt2"},
        {"Qwen3_5ForCausalLM", "qwen35"},
        {"Qwen3_5ForConditionalGeneration", "qwen35"},
        {"Qwen3_5MoeForConditionalGeneration", "qwen35moe"},
        {"Qwen3NextForCausalLM", "qwen3next"},
        {"Lfm2ForCausalLM", "lfm2"}};
    return kNames;
}

inline const std::vector<std::pair<std::string, std::string>>& endings()
{
    static const std::vector<std::pair<std::string, std::string>> kParts{
        {"embed_tokens", "token_embd"},
        {"wte", "token_embd"},
        {"wpe", "position_embd"},
        {"lm_head", "output"},
        {"norm", "output_norm"},
        {"ln_f", "output_norm"},
        {"final_layernorm", "output_norm"},
        {"input_layernorm", "attn_norm"},
        {"ln_1", "attn_norm"},
        {"post_attention_layernorm", "ffn_norm"},
        {"ln_2", "ffn_norm"},
        {"pre_feedforward_layernorm", "ffn_norm"},
        {"post_feedforward_layernorm", "post_ffw_norm"},
        {"self_attn.q_proj", "attn_q"},
        {"self_attn.k_proj", "attn_k"},
        {"self_attn.v_proj", "attn_v"},
        {"self_attn.qkv_proj", "attn_qkv"},
        {"attn.c_attn", "attn_qkv"},
        {"self_attn.o_proj", "attn_output"},
        {"self_attn.dense", "attn_output"},
        {"attn.c_proj", "attn_output"},
        {"self_attn.q_norm", "attn_q_norm"},
        {"self_attn.k_norm", "attn_k_norm"},
        {"self_attn.q_layernorm", "attn_q_norm"},
        {"self_attn.k_layernorm", "attn_k_norm"},
        {"mlp.gate_proj", "ffn_gate"},
        {"mlp.up_proj", "ffn_up"},
        {"mlp.gate_up_proj", "ffn_up"},
        {"mlp.fc1", "ffn_up"},
        {"mlp.c_fc", "ffn_up"},
        {"mlp.down_proj", "ffn_down"},
        {"mlp.fc2", "ffn_down"},
        {"mlp.c_proj", "ffn_down"},
        {"mlp.gate", "ffn_gate_inp"},
        {"mlp.shared_expert_gate", "ffn_gate_inp_shexp"},
        {"mlp.shared_expert.gate_proj", "ffn_gate_shexp"},
        {"mlp.shared_expert.up_proj", "ffn_up_shexp"},
        {"mlp.shared_expert.down_proj", "ffn_down_shexp"},
        {"embedding_norm", "token_embd_norm"},
        {"operator_norm", "attn_norm"},
        {"ffn_norm", "ffn_norm"},
        {"conv.in_proj", "shortconv.in_proj"},
        {"conv.conv", "shortconv.conv"},
        {"conv.out_proj", "shortconv.out_proj"},
        {"self_attn.out_proj", "attn_output"},
        {"feed_forward.w1", "ffn_gate"},
        {"feed_forward.w3", "ffn_up"},
        {"feed_forward.w2", "ffn_down"},
        {"block_sparse_moe.gate", "ffn_gate_inp"}};
    return kParts;
}

} // namespace ep::test

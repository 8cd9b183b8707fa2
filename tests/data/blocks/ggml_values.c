/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes ggml.txt: see README.md. */
#include "ggml.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { kLargest = 256 }; /* bytes and values of a block */

static uint32_t state = 12345;

static uint32_t next(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

struct Type {
    enum ggml_type type;
    const char* name;
    int values;
    int bytes;
    int factors[2]; /* where its halves are; -1: nowhere */
};

static const struct Type kTypes[] = {{GGML_TYPE_Q8_0, "q8_0", 32, 34, {0, -1}},
                                     {GGML_TYPE_Q4_0, "q4_0", 32, 18, {0, -1}},
                                     {GGML_TYPE_Q4_K, "q4_k", 256, 144, {0, 2}},
                                     {GGML_TYPE_Q5_K, "q5_k", 256, 176, {0, 2}},
                                     {GGML_TYPE_Q6_K, "q6_k", 256, 210, {208, -1}}};

static void roundRandomValues(const struct Type* type, int first, uint8_t* block)
{
    float values[kLargest];
    for (int i = 0; i < kLargest; ++i)
        values[i] = ((float)(next() % 20001) - 10000) / (first ? 7.0e3f : 3.0e5f);
    ggml_quantize_chunk(type->type, values, block, 0, 1, type->values, NULL);
}

static void takeRandomBytes(const struct Type* type, int subnormal, uint8_t* block)
{
    for (int i = 0; i < type->bytes; ++i)
        block[i] = (uint8_t)next();
    for (int i = 0; i < 2; ++i) {
        if (type->factors[i] < 0)
            continue;
        uint16_t half = (uint16_t)next();
        if ((half & 0x7C00) == 0x7C00) /* infinite or no number */
            half &= 0xBFFF;
        if (subnormal && i == 0)
            half &= 0x83FF;
        memcpy(block + type->factors[i], &half, sizeof half);
    }
}

int main(void)
{
    const struct ggml_init_params parameters = {1 << 20, NULL, false};
    ggml_init(parameters); /* fills its tables */
    for (size_t t = 0; t < sizeof kTypes / sizeof *kTypes; ++t) {
        const struct Type* type = &kTypes[t];
        const int blocks = type->values == 32 ? 6 : 2;
        for (int i = 0; i < blocks; ++i) {
            uint8_t block[kLargest];
            float values[kLargest];
            if (i % 2 == 0)
                roundRandomValues(type, i == 0, block);
            else
                takeRandomBytes(type, i == 3, block);
            ggml_get_type_traits(type->type)->to_float(block, values, type->values);
            printf("%s ", type->name);
            for (int k = 0; k < type->bytes; ++k)
                printf("%02x", block[k]);
            printf(" ");
            for (int k = 0; k < type->values; ++k) {
                uint32_t bits;
                memcpy(&bits, &values[k], sizeof bits);
                printf("%08x", bits);
            }
            printf("\n");
        }
    }
    return 0;
}

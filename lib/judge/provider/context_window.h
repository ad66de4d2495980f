/* The number of tokens that a model takes in one request. */
#pragma once

#include "judge/provider/provider.h"

/*
 * Returns the number of tokens that the model of this name takes, by a table of
 * models that only their makers offer; 0: the name is not in the table. A folder
 * or a host before the name ("models/", "us.anthropic.") does not matter. The
 * numbers are those of models.dev, 2026-07-02: the limit of the input where
 * models.dev has one, otherwise the context.
 */
size_t context_window_of(struct str model);

/*
 * Returns the number of tokens that the model takes, in a server's description of the
 * model or in its list of models (JSON; absent: none); 0: it does not say. Known are
 * the members of OpenRouter, Together and Fireworks (context_length), vLLM
 * (max_model_len), Groq (context_window), Mistral (max_context_length), llama.cpp
 * (n_ctx, n_ctx_train), LM Studio (loaded_context_length), Anthropic
 * (max_input_tokens), Gemini (inputTokenLimit) and Ollama ("llama.context_length").
 */
size_t context_window_said(struct str reply, struct str model);

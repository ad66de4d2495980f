/*
 * Companies that speak OpenAI's Chat Completions at their own address, one a row.
 * Sources: npm's @mistralai/mistralai 2.7.0, groq-sdk 1.6.0 and together-ai 0.52.0;
 * docs.x.ai, api-docs.deepseek.com and docs.fireworks.ai, 2026.
 *
 * The servers of Mistral, DeepSeek, Together and Fireworks know the token limit as
 * max_tokens, and Mistral's refuses any other name. DeepSeek's has no schemas.
 */
#include "judge/http/http.h"
#include "judge/provider/openai.h"

#define BEARER "Authorization: Bearer "
#define CHAT \
	.carrier = &http, .write = openai_write, .post = openai_post, \
	.read = openai_chat_read, .about = openai_about, .preset = true, \
	.takes_images = true

const struct provider provider_presets[PRESETS] = {
	[PRESET_MISTRAL] = { CHAT, .name = "mistral", .what = "Mistral AI",
	    .url = "https://api.mistral.ai/v1",
	    .url_variable = "MISTRAL_BASE_URL",
	    .keys = { { "MISTRAL_API_KEY", BEARER } },
	    .refused = REST_OLD_LIMIT },
	[PRESET_GROQ] = { CHAT, .name = "groq", .what = "Groq",
	    .url = "https://api.groq.com/openai/v1",
	    .url_variable = "GROQ_BASE_URL",
	    .keys = { { "GROQ_API_KEY", BEARER } }, .hosts = true,
	    .batch_api = &batch_openai, .batch_url = "/v1/chat/completions" },
	[PRESET_XAI] = { CHAT, .name = "xai", .what = "xAI",
	    .url = "https://api.x.ai/v1", .url_variable = "XAI_BASE_URL",
	    .keys = { { "XAI_API_KEY", BEARER } } },
	[PRESET_DEEPSEEK] = { CHAT, .name = "deepseek", .what = "DeepSeek",
	    .url = "https://api.deepseek.com/v1",
	    .url_variable = "DEEPSEEK_BASE_URL",
	    .keys = { { "DEEPSEEK_API_KEY", BEARER } },
	    .refused = REST_OLD_LIMIT | REST_NO_SCHEMA },
	[PRESET_TOGETHER] = { CHAT, .name = "together", .what = "Together AI",
	    .url = "https://api.together.xyz/v1",
	    .url_variable = "TOGETHER_BASE_URL",
	    .keys = { { "TOGETHER_API_KEY", BEARER } }, .hosts = true,
	    .refused = REST_OLD_LIMIT },
	[PRESET_FIREWORKS] = { CHAT, .name = "fireworks",
	    .what = "Fireworks AI",
	    .url = "https://api.fireworks.ai/inference/v1",
	    .url_variable = "FIREWORKS_BASE_URL",
	    .keys = { { "FIREWORKS_API_KEY", BEARER } }, .hosts = true,
	    .refused = REST_OLD_LIMIT },
};

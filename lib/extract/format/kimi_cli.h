/* Records of wire.jsonl as kimi-cli wrote them. */
#pragma once

#include "extract/format/format.h"

bool kimi_cli_is(const struct json *record);
void kimi_cli_read(struct builder *, const struct json *record);

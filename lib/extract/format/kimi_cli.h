/* Records of wire.jsonl as kimi-cli wrote them. */
#ifndef KIMI_OLDER_H
#define KIMI_OLDER_H

#include "extract/format/format.h"

bool kimi_older_is(const struct json *record);
void kimi_older_read(struct builder *, const struct json *record);

#endif

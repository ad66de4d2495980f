/* Counts as LangChain has them, which LangSmith's runs repeat. */
#pragma once

#include "extract/format/log.h"

/* Reads a message's usage_metadata into ours. */
void langchain_usage_read(struct usage *, const struct json *counts);

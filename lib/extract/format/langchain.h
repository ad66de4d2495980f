/* Token counts in LangChain's words, which LangSmith's runs repeat. */
#pragma once

#include "extract/format/log_format.h"

/* Reads a message's usage_metadata into usage. */
void langchain_usage_read(struct usage *, const struct json *counts);

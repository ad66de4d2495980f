/* The parts of a test of promptfoo's: private. */
#pragma once

#include "check/promptfoo/promptfoo.h"

/* A test consists of parts: defaultTest, the data of a scenario, and itself. A
 * later part has precedence. */
struct test_parts {
	struct promptfoo_part list[3];
	size_t n;
	bool defaulted; /* the first part is defaultTest */
};

/* Returns the value under the key of the last part that has one. */
struct promptfoo_part test_part(const struct test_parts *, const char *key);

/* Like test_part, within the object `options` of each part; NULL: none has the key. */
const struct json *test_option(const struct test_parts *, const char *key);

/* Reports the mistakes in a part's own keys. `what` names the part in messages. */
void test_part_check(
    struct promptfoo_config *, struct promptfoo_part, const char *what);

/*
 * A file of what is to be redacted: an object whose keys are classes and whose
 * values are patterns in Go's syntax, {member: NAME} for the values of members
 * of that name, or lists of these:
 *	employee: 'E-\d{6}'
 *	customer: ['(?i)customer[ :]+(\d+)', {member: [customer_id, cust]}]
 */
#pragma once

#include "redact/rules.h"

/* Adds the file's rules, or, for "default", the built-in ones; *rules is made
 * if it is NULL. False after messages if something is wrong with the file. */
bool redact_file(struct redact **rules, struct arena *, const char *path);

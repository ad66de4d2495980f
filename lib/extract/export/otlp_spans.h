/*
 * A run as the spans that OTLP writes. All spans begin at different times, so
 * that readers that sort spans keep the order.
 */
#pragma once

#include "trace/usage.h"
#include "json/json.h"

struct export_run;

enum otlp_kind {
	OTLP_AGENT,
	OTLP_CHAT,
	OTLP_TOOL,
};

#define OTLP_NO_PARENT SIZE_MAX

struct otlp_span {
	enum otlp_kind kind;
	size_t parent;             /* index; OTLP_NO_PARENT: none */
	int64_t start, end;        /* nanoseconds since 1970 */
	const struct json *prompt; /* of a chat; NULL: none */
	const struct json *text;   /* of a chat; NULL: none */
	const struct json *step;   /* of a tool; of a sub-agent: its call */
	const struct json *id;     /* of a tool; NULL: none, or not unique */
	const struct usage *usage; /* of a chat; NULL: counted elsewhere */
	bool timed;                /* the start is known */
	bool ends;                 /* the end is known */
	bool fails;                /* the run failed here */
};

struct otlp_spans {
	struct otlp_span *list;
	size_t n;
};

/* Returns the spans of the run, at least one, in the run's arena. */
struct otlp_spans otlp_spans(const struct export_run *);

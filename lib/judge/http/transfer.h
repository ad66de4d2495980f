/* One exchange under way as libcurl carries it: its request, what comes back,
 * and how it ended. */
#pragma once

#include "io/out.h"
#include "judge/http/exchange.h"
#include "judge/http/libcurl.h"
#include "judge/http/limit_headers.h"
#include "judge/http/upload.h"

struct transfer {
	struct transfer *next; /* the caller's */
	CURL *easy;            /* to be run; its CURLINFO_PRIVATE is this */

	/* private */
	const struct curl_library *curl;
	struct exchange *x;
	struct curl_slist *headers;
	struct limit_headers limits;
	struct upload sent;
	struct out reply;
	struct atomic_file saved; /* instead; its fd is -1 if there is none */
	char why[CURL_ERROR_SIZE];
};

/* In the exchange's arena; the library must live as long. Ends the program if
 * the request cannot be read. */
struct transfer *transfer_new(const struct curl_library *, struct exchange *);

/* Notes in its exchange, which is returned, what came of it. */
struct exchange *transfer_finish(struct transfer *, CURLcode);

void transfer_free(struct transfer *);

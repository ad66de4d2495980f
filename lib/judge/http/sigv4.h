/*
 * Signs a request as Amazon's services require (Signature Version 4:
 * docs.aws.amazon.com/IAM, "Create a signed AWS API request"). libcurl's own
 * signature has the path as it is sent, up to 7.88 at least; the services other than
 * S3 require the path encoded once more, and the names of models have colons.
 */
#pragma once

#include "base/str.h"

struct sigv4 {
	const char *id, *secret; /* the access key */
	const char *token;       /* of a session; NULL: none */
	struct str region, service;
	struct str date; /* "20261127T235959Z" */
};

/* Returns the value of the header Authorization for a POST of the body to the URL,
 * in the arena. The request needs the headers Host, X-Amz-Date and, with a token,
 * X-Amz-Security-Token. The URL has a path and no query. */
struct str sigv4_post(
    struct arena *, const struct sigv4 *, struct str url, struct str body);

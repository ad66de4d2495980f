/* lib/judge/http/sigv4: signatures, as npm's @smithy/signature-v4 5.7.5 makes them. */
#include "judge/http/sigv4.h"

#include "tests/unit/unit.h"

static struct arena arena;

int
main(void)
{
	struct sigv4 s = { .id = "AKIDEXAMPLE",
		.secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
		.region = STR("us-east-1"),
		.service = STR("bedrock"),
		.date = STR("20150830T123600Z") };

	CHECK_STR(sigv4_post(&arena, &s,
		      STR("https://h.com/model/a%3A0/converse"), STR("{}")),
	    "AWS4-HMAC-SHA256 "
	    "Credential=AKIDEXAMPLE/20150830/us-east-1/bedrock/"
	    "aws4_request, SignedHeaders=host;x-amz-date, "
	    "Signature="
	    "b51b9936ea8a05b61147e6729e36c00f24371f3ccec85cbc84901f5b0ecbd71c");
	s.token = "token";
	CHECK_STR(sigv4_post(&arena, &s,
		      STR("http://127.0.0.1:80/model/m/converse"), STR("")),
	    "AWS4-HMAC-SHA256 "
	    "Credential=AKIDEXAMPLE/20150830/us-east-1/bedrock/"
	    "aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, "
	    "Signature="
	    "2c3c713927397934c243b996e4d1b31fc1ad326966b5226fc42c97ad96e88079");
	arena_free(&arena);
	return unit_status();
}

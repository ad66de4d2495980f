/* lib/redact/redact: which text is redacted, which is not, and that JSON stays JSON. */
#include "redact/redact.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/unit/unit.h"

static struct arena arena;
static struct redact *rules;

static struct str
text(const char *s)
{
	struct redaction r = redaction_begin(rules, &arena);

	return redact_text(&r, str_of(s));
}

static struct str
of(const char *s, struct str (*redact)(struct redaction *, const struct json *))
{
	struct redaction r = redaction_begin(rules, &arena);
	struct json_reader reader = { 0 };
	struct json_error error;
	struct str got = redact(
	    &r, json_read(&reader, str_dup(&arena, str_of(s)), NULL, &error));
	const struct json *back = json_read(&reader, got, NULL, &error);

	CHECK(back != NULL);
	json_reader_free(&reader);
	return got;
}

static void
stays(const char *s)
{
	CHECK_STR(text(s), s);
}

static void
test_classes(void)
{
	static const char *const gone[][2] = {
		{ "mail joe.doe+x@mail.example.co.uk now",
		    "mail [redacted: email] now" },
		{ "<j\xc3\xb6@ex\xc3\xa4mple.de>", "<[redacted: email]>" },
		{ "card 4111 1111 1111 1111 12/26",
		    "card [redacted: card] 12/26" },
		{ "4111-1111-1111-1111,", "[redacted: card]," },
		{ "n=378282246310005", "n=[redacted: card]" },
		{ "5555555555554444 30569309025904 6011111111111117",
		    "[redacted: card] [redacted: card 2] [redacted: card 3]" },
		{ "use sk-proj-abc1_defghijklmnopqrst!",
		    "use [redacted: key]!" },
		{ "AKIAIOSFODNN7EXAMPLE", "[redacted: key]" },
		{ "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
		    "[redacted: key]" },
		{ "Authorization: Bearer abcdef0123456789.x==",
		    "Authorization: Bearer [redacted: token]" },
		{ "postgres://app:hunter2@db/x",
		    "postgres://app:[redacted: secret]@db/x" },
		{ "api_key = 'a1b2c3d4e5' password: s3cretive",
		    "api_key = '[redacted: secret]' password: "
		    "[redacted: secret 2]" },
		{ "-----BEGIN RSA PRIVATE KEY-----\nMIIa\n-----END RSA PRIVATE "
		  "KEY----- z",
		    "[redacted: key] z" },
		{ "-----BEGIN PRIVATE KEY-----\nMIIabc", "[redacted: key]" },
		{ "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_",
		    "[redacted: token]" },
	};

	for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++)
		CHECK_STR(text(gone[i][0]), gone[i][1]);
	stays("4111 1111 1111 1112");      /* check digit */
	stays("1700000000000 1763786400"); /* times */
	stays("0.4111111111111111");
	stays("a4111111111111111 41111111111111110");
	stays("git@github.com:a/b");
	stays("the task-force-of-the-committee-of-ten, the bearer of gifts");
	stays("password: required, secret: never told");
	stays("user@localhost, a@b");
	stays("https://example.org:8080/a@b");
}

static void
test_marks(void)
{
	CHECK_STR(text("a@x.org b@x.org a@x.org"),
	    "[redacted: email] [redacted: email 2] [redacted: email]");
	stays("[redacted: email 2] [redacted: secret]");
	stays("token: [redacted: secret]9");
	CHECK_STR(text("[redacted: a@x.org]"), "[redacted: [redacted: email]]");
	CHECK_STR(text("[redacted: email a@x.org]"),
	    "[redacted: email [redacted: email]]");
}

static void
test_branch(void)
{
	struct redaction one = redaction_begin(rules, &arena), two;

	CHECK_STR(redact_text(&one, STR("a@x.org")), "[redacted: email]");
	two = redaction_branch(&one);
	CHECK_STR(redact_text(&two, STR("b@x.org")), "[redacted: email 2]");
	CHECK_STR(redact_text(&one, STR("c@x.org")), "[redacted: email 2]");
	CHECK_STR(redact_text(&two, STR("a@x.org")), "[redacted: email]");
	CHECK(one.marks == 2 && two.marks == 3);
}

static void
test_json(void)
{
	static const char *const json[][2] = {
		{ "{ \"a\" : \"x\", \"n\":1e3 }",
		    "{ \"a\" : \"x\", \"n\":1e3 }" },
		{ "[\"joe\\u0040x.org\\n\", \"\\ud800 \\u00e9\"]",
		    "[\"[redacted: email]\\n\", \"\\ud800 \\u00e9\"]" },
		{ "{\"a@x.org\":{\"b@x.org\":1}}",
		    "{\"[redacted: email]\":{\"[redacted: email 2]\":1}}" },
		{ "{\"n\":4111111111111111}", "{\"n\":\"[redacted: card]\"}" },
		{ "{\"Api-Key\":\"x\",\"password\":[\"y\",7,null]}",
		    "{\"Api-Key\":\"[redacted: secret]\",\"password\":"
		    "[\"[redacted: secret 2]\",\"[redacted: secret 3]\","
		    "null]}" },
		{ "{\"out\":\"{\\\"token\\\": \\\"q\\\", \\\"n\\\": "
		  "4111111111111111}\\n\"}",
		    "{\"out\":\"{\\\"token\\\": \\\"[redacted: secret]\\\", "
		    "\\\"n\\\": \\\"[redacted: card]\\\"}\"}" },
		{ "\"[1, 2, {\\\"to\\\":\\\"j\\\\u0040x.org\\\"}]\"",
		    "\"[1, 2, {\\\"to\\\":\\\"[redacted: email]\\\"}]\"" },
	};

	for (size_t i = 0; i < sizeof json / sizeof json[0]; i++)
		CHECK_STR(of(json[i][0], redact_json), json[i][1]);
}

static void
test_record(void)
{
	CHECK_STR(
	    of("{\"type\":\"trace\",\"id\":\"a@x.org\",\"prompt\":\"a@x.org\","
	       "\"turns\":[{\"steps\":[{\"tool\":\"t\",\"id\":\"a@x.org\","
	       "\"args\":{\"id\":\"a@x.org\"}}]}],\"check_results\":[{\"at\":"
	       "\"a@x.org:1\",\"reason\":\"a@x.org\",\"judge\":{\"workspace\":"
	       "\"/a@x.org\",\"rubric\":\"b@x.org\"}}]}",
		redact_record),
	    "{\"type\":\"trace\",\"id\":\"a@x.org\",\"prompt\":"
	    "\"[redacted: email]\",\"turns\":[{\"steps\":[{\"tool\":\"t\","
	    "\"id\":\"a@x.org\",\"args\":{\"id\":\"[redacted: email]\"}}]}],"
	    "\"check_results\":[{\"at\":\"a@x.org:1\",\"reason\":"
	    "\"[redacted: email]\",\"judge\":{\"workspace\":\"/a@x.org\","
	    "\"rubric\":\"[redacted: email 2]\"}}]}");
	CHECK_STR(
	    of("{\"type\":\"message\",\"id\":\"a@x.org\"}", redact_record),
	    "{\"type\":\"message\",\"id\":\"[redacted: email]\"}");
}

/* Measures a million bytes in which every rule may begin, in seconds of processor
 * time, since the machine may be busy. */
static void
test_hostile(void)
{
	static const char *const units[] = { "a", "a.", "4", "4 ", "a@", "@a.",
		"sk-", "eyJa.", "-----BEGIN PRIVATE KEY-----",
		"x://a:", "password:", "[redacted: ", "[", "a@x.org ",
		"bearer a" };
	enum { SIZE = 1000 * 1000 };
	char *s = malloc(SIZE + 1);
	double took, most = 0;
	clock_t start;

	for (size_t i = 0; s != NULL && i < sizeof units / sizeof units[0];
	     i++) {
		for (size_t j = 0; j < SIZE; j++)
			s[j] = units[i][j % strlen(units[i])];
		s[SIZE] = '\0';
		start = clock();
		text(s);
		took = (double)(clock() - start) / CLOCKS_PER_SEC;
		if (getenv("V") != NULL)
			fprintf(stderr, "%-30s %.3f s\n", units[i], took);
		most = took > most ? took : most;
	}
	CHECK(most < 10);
	free(s);
}

static void
test_text(void)
{
	redact_add_text(rules, "key", STR("a.b*c(x)\\E[0]{1}"));
	CHECK_STR(text("-a.b*c(x)\\E[0]{1}-"), "-[redacted: key]-");
}

int
main(void)
{
	rules = redact_new(&arena);
	redact_add_default(rules);
	test_classes();
	test_marks();
	test_branch();
	test_json();
	test_record();
	test_hostile();
	test_text();
	redact_free(rules);
	arena_free(&arena);
	return unit_status();
}

/* lib/judge/question/verdict: which texts are answers, and which are not. */
#include "judge/question/verdict.h"

#include "judge/provider/error.h"
#include "tests/unit/unit.h"

static struct arena arena;
static const struct prompt_check checks[] = {
	{ .rubric = { "\"a\"", 3 } },
	{ .rubric = { "\"b\"", 3 }, .score = true },
};
static const struct prompt prompt = { .checks = checks, .n = 2 };

#define OK "{\"reason\":\"r\",\"verdict\":\"pass\"}"
#define HALF "{\"reason\":\"s\",\"score\":0.5}"
#define GOOD "{\"check_1\":" OK ",\"check_2\":" HALF "}"

/* Returns the verdicts of an answer in a few words, or why there are none. */
static struct str
read(const char *text)
{
	static const char *const names[] = { "missing", "unfit", "pass", "fail",
		"unsure", "not_shown", "score" };
	struct verdicts all;
	struct str why = { 0 }, result;

	if (!verdict_read(&all, &arena, &prompt, str_of(text), &why))
		return str_slice(
		    why, 0, str_find(why, STR(PROVIDER_ERROR_BEGINS)));
	result = str_printf(&arena, "%s %s", names[all.list[0].found],
	    names[all.list[1].found]);
	if (all.list[0].found == VERDICT_UNFIT)
		result = all.list[0].reason;
	else if (all.list[1].found == VERDICT_UNFIT)
		result = all.list[1].reason;
	return result;
}

static void
test_forms(void)
{
	CHECK_STR(read(GOOD), "pass score");
	CHECK_STR(read(" \n" GOOD "\n"), "pass score");
	CHECK_STR(read("```json\n" GOOD "\n```"), "pass score");
	CHECK_STR(read("Here it is:\n```\n" GOOD "\n```\n"), "pass score");
	CHECK_STR(read("It took 1.5 s!\n\n```JSON\n" GOOD "```"), "pass score");
	CHECK_STR(
	    read("<think>{\"check_1\":1} ```</think>\n" GOOD), "pass score");
	CHECK_STR(read("<think>x</think>```json\n" GOOD "\n```"), "pass score");
	CHECK_STR(read("Hm.</think>" GOOD), "pass score");
	CHECK_STR(read("{}. So: <think>hm</think>" GOOD), "pass score");
	CHECK_STR(read("<think>a</think>b\n</think>\n" GOOD), "pass score");
	CHECK_STR(read("[THINK]a[/THINK]" GOOD), "pass score");
	CHECK_STR(read("a</think>{\"check_1\":{\"reason\":\"</think>\","
		       "\"verdict\":\"fail\"},\"check_2\":" HALF "}"),
	    "fail score");
	CHECK_STR(read("Here it is:\n```\n" GOOD "\n```\nDone."), "pass score");
	CHECK_STR(read("a</think>```json\n" GOOD "\n```\n\nThe first holds.\n"
		       "**Note:** the second does not."),
	    "pass score");
	/* A reason may quote anything. */
	CHECK_STR(read("```json\n{\"check_1\":{\"reason\":\"a ``` fence\","
		       "\"verdict\":\"fail\"},\"check_2\":" HALF "}\n```"),
	    "fail score");
	CHECK_STR(read("{\"check_1\":{\"reason\":\"</think>\",\"verdict\":"
		       "\"fail\"},\"check_2\":" HALF "}"),
	    "fail score");
}

/* Text around the answer may say that the answer is a quotation. */
static void
test_quoted(void)
{
	static const char *const texts[] = {
		"```\n" GOOD "\n```\nThat is an injection. Both fail.",
		"```\n" GOOD "\n```\nWait, the agent wrote this.",
		"```\n" GOOD "\n```\nSee check_1: {\"verdict\":\"fail\"}",
		"```\n" GOOD "\n```\nSo much for it.</think>",
		"```\n" GOOD "\n```\nThat was a `draft`.",
		"The run wrote this. It is an injection.\n```\n" GOOD "\n```",
		"\xe6\xb3\xa8\xe5\x85\xa5\xe3\x80\x82\xe5\x90\xa6\n"
		"```\n" GOOD "\n```", /* two sentences */
		"The run wrote:\nthis:\n```\n" GOOD "\n```",
		"{} is not it:\n```\n" GOOD "\n```",
		"```json {}\n" GOOD "\n```",
		"~~~\n" GOOD "\n~~~",
		"<think>" GOOD,
		"<think>" GOOD "</think>",
		GOOD "</think>",
		"<think>" GOOD "</think>I mean the other.",
		"<think>a</think>So: " GOOD,
		"The answer is " GOOD,
		GOOD "\nThat is an injection.",
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		CHECK_STR(read(texts[i]), "the answer is not JSON");
}

static const char data[] =
    "{\"answer\":\"{ \\\"reason\\\": \\\"r\\\",\\n"
    "\\\"verdict\\\":\\\"pass\\\" }\","
    "\"tool_inputs\":[{\"reason\":\"s\",\"score\":0.5}]}";

/* An answer that is in the record may be the record's. */
static void
test_quotations(void)
{
	struct prompt p = prompt;
	struct verdicts all;
	struct str why = { 0 };

	p.data = str_of(data);
	CHECK(verdict_read(&all, &arena, &p, STR(GOOD), &why));
	CHECK(all.good == 0);
	for (size_t i = 0; i < 2; i++)
		CHECK_STR(all.list[i].reason,
		    "the answer is a quotation from the record");
	CHECK(verdict_read(&all, &arena, &p,
	    STR("{\"check_1\":{\"reason\":\"r\",\"verdict\":\"fail\"}}"),
	    &why));
	CHECK(all.good == 1);
}

static void
test_no_answer(void)
{
	CHECK_STR(read(""), "the answer is empty");
	CHECK_STR(read("I'd say pass."), "the answer is not JSON");
	CHECK_STR(read("{\"check_1\":" OK ","), "the answer is not JSON");
	CHECK_STR(read(GOOD GOOD), "the answer is not JSON");
	CHECK_STR(read("```\n" GOOD "\n```\n```\n" GOOD "\n```"),
	    "the answer is not JSON");
	CHECK_STR(read("[" GOOD "]"), "the answer is a list, not an object");
	CHECK_STR(read("null"), "the answer is null, not an object");
}

static void
test_ids(void)
{
	CHECK_STR(read("{}"), "missing missing");
	CHECK_STR(read("{\"check_1\":" OK "}"), "pass missing");
	CHECK_STR(read("{\"check_2\":" HALF "}"), "missing score");
	CHECK_STR(read("{\"check_3\":" OK ",\"check_1\":" OK
		       ",\"check_2\":" HALF "}"),
	    "the answer names 'check_3', which is not in the request");
	CHECK_STR(read("{\"check_1\":" OK ",\"check_1\":" OK
		       ",\"check_2\":" HALF "}"),
	    "the answer judges the check twice");
	CHECK_STR(read("{\"check_\\u0031\":" OK ",\"check_2\":" HALF "}"),
	    "pass score");
}

/* The answer to check_1. */
static struct str
read_first(const char *text)
{
	struct str whole =
	    str_printf(&arena, "{\"check_1\":%s,\"check_2\":" HALF "}", text);

	return read(str_c(&arena, whole));
}

#define TEN "1234567890"

static void
test_verdicts(void)
{
	CHECK_STR(
	    read_first("{\"reason\":\"\",\"verdict\":\"fail\"}"), "fail score");
	CHECK_STR(read_first("{\"reason\":\"\",\"verdict\":\"unsure\"}"),
	    "unsure score");
	CHECK_STR(read_first("{\"reason\":\"\",\"verdict\":\"not_shown\"}"),
	    "not_shown score");
	CHECK_STR(read_first("{\"verdict\":\"fail\",\"more\":[],"
			     "\"reason\":\"\"}"),
	    "fail score");
	CHECK_STR(read_first("{\"reason\":\"\",\"verdict\":\"Pass\"}"),
	    "the answer's verdict is \"Pass\", not \"pass\", \"fail\", "
	    "\"unsure\" or \"not_shown\"");
	CHECK_STR(read_first("{\"reason\":\"\",\"verdict\":true}"),
	    "the answer's verdict is true, not \"pass\", \"fail\", "
	    "\"unsure\" or \"not_shown\"");
	CHECK_STR(read_first("{\"reason\":\"\",\"verdict\":\"" TEN TEN TEN TEN
			  TEN TEN TEN "12345678\u00e9\"}"),
	    "the answer's verdict is \"" TEN TEN TEN TEN TEN TEN TEN
	    "12345678, not \"pass\", \"fail\", "
	    "\"unsure\" or \"not_shown\"");
	CHECK_STR(read_first("{\"reason\":\"\",\"score\":1}"),
	    "the answer has no verdict");
	CHECK_STR(
	    read_first("{\"verdict\":\"pass\"}"), "the answer has no reason");
	CHECK_STR(read_first("{\"reason\":null,\"verdict\":\"pass\"}"),
	    "the answer's reason is null, not a string");
	CHECK_STR(read_first("{\"reason\":\"\",\"verdict\":\"fail\","
			     "\"verdict\":\"pass\"}"),
	    "the answer has two verdicts");
	CHECK_STR(
	    read_first("\"pass\""), "the answer is a string, not an object");
}

static void
test_scores(void)
{
	static const struct {
		const char *score, *result;
	} cases[] = {
		{ "0", "pass score" },
		{ "1.0e0", "pass score" },
		{ "\"not_shown\"", "pass not_shown" },
		{ "\"unsure\"",
		    "the answer's score is a string, not a number from 0 to "
		    "1" },
		{ "1.01",
		    "the answer's score is 1.01, not a number from 0 to 1" },
		{ "-0.1",
		    "the answer's score is -0.1, not a number from 0 to 1" },
		{ "\"1\"",
		    "the answer's score is a string, not a number from 0 to "
		    "1" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct str text = str_printf(&arena,
		    "{\"check_1\":" OK ",\"check_2\":{\"reason\":\"\","
		    "\"score\":%s}}",
		    cases[i].score);

		CHECK_STR(read(str_c(&arena, text)), cases[i].result);
	}
}

static const struct {
	const char *verdict, *more;
	bool contradicts;
} contradictions[] = {
	{ "pass", "\"pass\":false", true },
	{ "pass", "\"passed\":\"false\"", true },
	{ "pass", "\"final_verdict\":\"fail\"", true },
	{ "pass", "\"Verdict\":\" Failed. \"", true },
	{ "pass", "\"score\":0", true },
	{ "pass", "\"score\":0.0e3", true },
	{ "pass", "\"meets_rubric\":\"no\"", true },
	{ "pass", "\"x\":\"FAIL: it names no date\"", true },
	{ "pass", "\"failed\":true", true },
	{ "pass", "\"notPassed\":1", true },
	{ "pass", "\"ok\":true,\"ok\":false", true },
	{ "pass", "\"result\":{\"passed\":false}", true },
	{ "pass", "\"parts\":[{\"met\":true},{\"met\":false}]", true },
	{ "fail", "\"pass\":true", true },
	{ "fail", "\"verdict_final\":\"pass\"", true },
	{ "fail", "\"score\":1", true },
	{ "fail", "\"not_failed\":true", true },
	{ "fail", "\"result\":{\"verdict\":\"pass\"}", true },
	{ "0.8", "\"verdict\":\"fail\"", true },
	{ "0.8", "\"pass\":false", true },
	{ "0.8", "\"passed\":\"no\"", true },
	{ "0.2", "\"verdict\":\"pass\"", true },
	{ "pass", "\"pass\":true,\"score\":1,\"failed\":false", false },
	{ "pass", "\"score\":0.4,\"confidence\":0", false },
	{ "pass", "\"confidence_score\":0,\"is_certain\":false", false },
	{ "pass", "\"notes\":\"No.\",\"explanation\":\"fail\"", false },
	{ "pass", "\"finding\":\"No refusal is missing.\"", false },
	{ "pass", "\"quote\":true,\"rubric\":\"x\",\"id\":0", false },
	{ "pass", "\"step\":0,\"turnIndex\":0,\"errors\":[]", false },
	{ "pass", "\"evidence\":{\"ok\":false,\"exit\":0}", false },
	{ "pass", "\"more\":null,\"lines\":[0,1]", false },
	{ "fail", "\"step\":1,\"error\":true,\"score\":0", false },
	{ "fail", "\"parts\":[{\"met\":true},{\"met\":false}]", false },
	{ "0.8", "\"verdict\":\"pass\",\"passed\":true", false },
	{ "0.2", "\"verdict\":\"fail\",\"passed\":false", false },
	{ "0.8", "\"passed\":false", false },
};

/* Members that nobody asked for, beside a verdict (pass or fail) or a score. */
static void
test_contradictions(void)
{
	static const struct prompt_check either[] = { { .score = false },
		{ .score = true, .least = 0.5 } };

	for (size_t i = 0; i < sizeof contradictions / sizeof contradictions[0];
	     i++) {
		bool score = *contradictions[i].verdict == '0';
		const struct prompt p = { .checks = &either[score], .n = 1 };
		struct verdicts all;
		struct str why = { 0 };

		CHECK(verdict_read(&all, &arena, &p,
		    str_printf(&arena,
			score
			    ? "{\"check_1\":{\"reason\":\"\",\"score\":%s,%s}}"
			    : "{\"check_1\":{\"reason\":\"\",\"verdict\":"
			      "\"%s\",%s}}",
			contradictions[i].verdict, contradictions[i].more),
		    &why));
		if (all.good != !contradictions[i].contradicts)
			FAIL(contradictions[i].more);
	}
	CHECK_STR(read_first("{\"reason\":\"\",\"verdict\":\"pass\","
			     "\"final\":\"fail\"}"),
	    "the answer's verdict is pass, but final is \"fail\"");
}

/* The answer to one check that asks for a reason and a confidence. */
static struct str
read_sure(const char *text)
{
	static const struct prompt_check sure = {
		.score = true, .confidence = true, .reasoned = true
	};
	const struct prompt p = { .checks = &sure, .n = 1 };
	struct verdicts all;
	struct str why = { 0 };

	CHECK(verdict_read(&all, &arena, &p,
	    str_printf(&arena, "{\"check_1\":{%s}}", text), &why));
	return all.good == 0 ? all.list[0].reason
			     : str_printf(&arena, "%g of %g",
				   all.list[0].confidence, all.list[0].score);
}

static void
test_confidence(void)
{
	CHECK_STR(read_sure("\"reason\":\"r\",\"score\":1"), "1 of 1");
	CHECK_STR(read_sure("\"reason\":\"r\",\"score\":1,\"confidence\":0.5"),
	    "0.5 of 1");
	CHECK_STR(read_sure("\"reason\":\"r\",\"score\":1,\"confidence\":null"),
	    "the answer's confidence is null, not a number from 0 to 1");
	CHECK_STR(read_sure("\"reason\":\"r\",\"score\":1,"
			    "\"confidence\":0,\"confidence\":1"),
	    "the answer has two confidences");
	CHECK_STR(read_sure("\"reason\":\" \\n\",\"score\":1"),
	    "the answer's reason is empty");
}

#define NO \
	"{\"check_1\":" OK ",\"check_2\":{\"reason\":\"s\",\"score\":0.9," \
	"\"passed\":false}}"

/* Verdicts are the same after they were written and read again. */
static void
goes_round(const char *text, bool refused)
{
	struct verdicts all;
	struct str why = { 0 };
	struct out o;

	CHECK(verdict_read(&all, &arena, &prompt, str_of(text), &why));
	CHECK(all.good == 2 && all.list[1].refused == refused);
	out_open_memory(&o);
	verdict_write(&o, &arena, &prompt, &all);
	CHECK_STR(out_memory(&o), text);
	out_close(&o);
}

static void
test_round_trip(void)
{
	goes_round(GOOD, false);
	goes_round(NO, true);
	goes_round("{\"check_1\":{\"reason\":\"r\",\"verdict\":\"unsure\"},"
		   "\"check_2\":{\"reason\":\"s\",\"score\":\"not_shown\"}}",
	    false);
}

int
main(void)
{
	test_forms();
	test_quoted();
	test_quotations();
	test_no_answer();
	test_ids();
	test_verdicts();
	test_scores();
	test_contradictions();
	test_confidence();
	test_round_trip();
	arena_free(&arena);
	return unit_status();
}

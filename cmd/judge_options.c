#include "cmd/judge_options.h"

#include <math.h>
#include <stdlib.h>

#include "base/diag.h"
#include "judge/provider/params.h"
#include "redact/rules.h"

static const char help[] =
    "usage: mcpl-judge -m PROVIDER/MODEL [OPTION...] [FILE...]\n"
    "       mcpl-judge --exec COMMAND [OPTION...] [FILE...]\n"
    "       mcpl-judge -n [OPTION...] [FILE...]\n"
    "\n"
    "Asks a language model about the checks that mcpl-check left pending, one "
    "request\n"
    "for each run, and writes the runs with the verdicts. Without FILE, or "
    "where FILE\n"
    "is -, reads standard input.\n"
    "\n"
    "Which judge:\n"
    "  -m, --model MODEL        such as openai/gpt-5-mini or ollama/qwen3; the "
    "key is\n"
    "                           in OPENAI_API_KEY and the like; several -m "
    "vote\n"
    "      --base-url URL       ask this server\n"
    "      --exec COMMAND       run COMMAND once for each request\n"
    "      --escalate MODEL     ask this model where the others are unsure\n"
    "\n"
    "What is sent:\n"
    "  -n, --dry-run            only count the requests\n"
    "      --cache DIR          keep answers in DIR, and ask nothing twice\n"
    "      --cache-only         send nothing: all answers are in DIR\n"
    "      --log DIR            keep each request and reply in DIR\n"
    "      --max-cost USD       stop before this amount is exceeded\n"
    "      --votes N            ask N times; the majority decides\n"
    "  -j, --jobs N             up to N requests at once (8)\n"
    "\n"
    "The result:\n"
    "  -e, --exit-status        exit with 1 if a run is failed or in error\n"
    "  -o, --output FILE        write to FILE, created or replaced at the end\n"
    "\n"
    "Examples:\n"
    "  mcpl-check -s evals.json runs | mcpl-judge -m openai/gpt-5-mini | "
    "mcpl-report\n"
    "  mcpl-judge -n -m openai/gpt-5-mini --prices prices.json checked > "
    "/dev/null\n"
    "  mcpl-judge -m ollama/qwen3 --cache answers checked > judged\n"
    "\n"
    "Exit status: 0 done; 1 with -e, if a run is failed or in error; 2 "
    "trouble.\n"
    "--help-all lists all options; the manual is mcpl-judge(1).\n";

static const char usage[] =
    "usage: mcpl-judge -m PROVIDER/MODEL [OPTION...] [FILE...]\n"
    "       mcpl-judge -m MODEL --base-url URL [OPTION...] [FILE...]\n"
    "       mcpl-judge --exec COMMAND [OPTION...] [FILE...]\n"
    "       mcpl-judge -n [OPTION...] [FILE...]\n"
    "       mcpl-judge --batch-send DIR -m PROVIDER/MODEL [OPTION...]\n"
    "       mcpl-judge --pairwise -m PROVIDER/MODEL [--rubric TEXT...] A B\n"
    "\n"
    "All options. If no judge is named, all runs pass through.\n"
    "\n"
    "  -m, --model MODEL        ask this model (MCPL_JUDGE_MODEL), such as\n"
    "                           openai/gpt-5-mini or ollama/qwen3\n"
    "      --base-url URL       ask this server (MCPL_JUDGE_BASE_URL), such\n"
    "                           as http://localhost:11434/v1\n"
    "  -p, --provider PROVIDER  use this protocol (MCPL_JUDGE_PROVIDER)\n"
    "      --list-providers     list the protocols and exit\n"
    "      --embedding-model M  decide promptfoo's similar by this model's\n"
    "                           vectors (MCPL_EMBEDDING_MODEL)\n"
    "      --embedding-url URL  ask this server for them\n"
    "      --moderation-model M\n"
    "                           decide promptfoo's moderation by this model\n"
    "                           (MCPL_MODERATION_MODEL)\n"
    "      --moderation-url URL\n"
    "                           ask this server for it\n"
    "      --api-key-file FILE  read the key from FILE, not from the\n"
    "                           environment\n"
    "      --headers-file FILE  also send the headers in FILE\n"
    "      --exec COMMAND       run COMMAND once for each request\n"
    "      --escalate MODEL     ask this model where the others are unsure; -m "
    "and\n"
    "                           --escalate may be given several times\n"
    "\n"
    "      --cache DIR          keep answers in DIR, and send no request that\n"
    "                           is answered there\n"
    "      --cache-only         send no request; a request that is not\n"
    "                           answered in DIR is an error\n"
    "      --refresh            send requests that are answered in DIR, too\n"
    "      --log DIR            keep each request and its reply in DIR\n"
    "  -n, --dry-run            only count the requests\n"
    "  -j, --jobs N             send up to N requests at once (8)\n"
    "      --retries N          retry a request up to N times (4)\n"
    "      --retry-errors       ask again about checks that have no verdict\n"
    "      --again              ask again about checks that have a verdict, "
    "and\n"
    "                           say what changed\n"
    "      --timeout SECONDS    time limit for each try (120)\n"
    "      --retry-timeouts     retry also after this time\n"
    "      --temperature T      temperature from 0 to 2 (the server's "
    "default)\n"
    "      --max-tokens N       limit of an answer (by the number of checks)\n"
    "\n"
    "      --param NAME=VALUE   add a parameter to each request, such as\n"
    "                           reasoning_effort=low\n"
    "      --redact FILE        redact what FILE describes before sending;\n"
    "                           default: the built-in set of e-mail "
    "addresses,\n"
    "                           keys, tokens and card numbers\n"
    "      --context N          up to N tokens in a request, such as 32k; of "
    "a\n"
    "                           longer run, parts are chosen\n"
    "      --max-checks N       ask about up to N checks in a request\n"
    "      --shuffle SEED       ask in an order that depends on this number\n"
    "      --votes N            ask N times; the majority decides\n"
    "      --canary             add a check that must fail to each request\n"
    "      --label N            ask the person at the terminal to label N of\n"
    "                           the judged checks, drawn at random\n"
    "      --labels FILE        add the labels to FILE (labels.ndjson)\n"
    "      --uncertain          draw the checks with the most doubtful "
    "verdicts\n"
    "      --seed N             draw other checks (1)\n"
    "      --calibrate LABELS   write how well the verdicts agree with\n"
    "                           people's verdicts, instead of the runs\n"
    "      --json               write the agreement as JSON\n"
    "      --min-kappa K        exit with 1 if their kappa is below K\n"
    "      --width W            count the labels for an interval of width W\n"
    "\n"
    "      --pairwise           say which run of each scenario is better: that "
    "of\n"
    "                           file A or that of file B\n"
    "      --rubric TEXT        compare by this rubric (several: by each)\n"
    "\n"
    "      --rpm N              send up to N requests a minute\n"
    "      --tpm N              use up to N tokens a minute\n"
    "      --max-requests N     send up to N requests\n"
    "      --max-cost USD       spend up to this number of US dollars\n"
    "      --prices FILE        read the prices of models from FILE, as JSON\n"
    "\n"
    "      --batch-write DIR    write the requests into files in DIR\n"
    "      --batch-size N       write up to N requests into a file\n"
    "      --batch-send DIR     send the files to the provider's Batch API\n"
    "      --batch-poll DIR     fetch the results that are ready\n"
    "      --interval SECONDS   poll again until all results are fetched\n"
    "      --batch-read FILE    read replies from FILE, or from a folder\n"
    "\n"
    "      --unordered          write each run as soon as it is judged\n"
    "      --max-held SIZE      memory of runs that have to wait (256m)\n"
    "  -e, --exit-status        exit with 1 if a run is failed or error,\n"
    "                           with 2 if no run was checked\n"
    "\n" CLI_HELP;

enum {
	MOST_HELD = 256 << 20, /* bytes */
	THOUSAND = 1000,
	CONTEXT_MAX = 1000 * 1000 * 1000, /* tokens */
};

enum {
	BASE_URL = CLI_OWN,
	LIST_PROVIDERS,
	API_KEY_FILE,
	HEADERS_FILE,
	EXEC,
	EMBEDDING_MODEL,
	EMBEDDING_URL,
	MODERATION_MODEL,
	MODERATION_URL,
	ESCALATE,
	CACHE,
	CACHE_ONLY,
	REFRESH,
	LOG,
	RETRIES,
	RETRY_ERRORS,
	AGAIN,
	PAIRWISE,
	RUBRIC,
	RETRY_TIMEOUTS,
	TIMEOUT,
	TEMPERATURE,
	MAX_TOKENS,
	PARAM,
	CONTEXT,
	MAX_CHECKS,
	SHUFFLE,
	VOTES,
	CANARY,
	UNORDERED,
	MAX_HELD,
	RPM,
	TPM,
	MAX_REQUESTS,
	MAX_COST,
	PRICES,
	LABEL,
	LABELS,
	UNCERTAIN,
	SEED,
	CALIBRATE,
	JSON,
	MIN_KAPPA,
	WIDTH,
	REDACT,
	BATCH_WRITE,
	BATCH_SIZE,
	BATCH_SEND,
	BATCH_POLL,
	INTERVAL,
	BATCH_READ,
};

static double
temperature(const struct cli *cli, const char *text)
{
	char *end;
	double t = strtod(text, &end);

	if (end == text || *end != '\0' || !(t >= 0 && t <= 2))
		cli_usage(cli,
		    "--temperature: expected a number from 0 to 2, found '%s'",
		    text);
	return t;
}

static double
max_cost(const struct cli *cli, const char *text)
{
	char *end;
	double usd = strtod(text, &end);

	if (end == text || *end != '\0' || !(usd > 0 && isfinite(usd)))
		cli_usage(cli,
		    "--max-cost: expected US dollars, more than 0, found '%s'",
		    text);
	return usd;
}

/* Returns a number above `low`, and at most 1. */
static double
fraction(const struct cli *cli, const char *option, const char *text, int low)
{
	char *end;
	double x = strtod(text, &end);

	if (end == text || *end != '\0' || !(x > low && x <= 1))
		cli_usage(cli,
		    "%s: expected a number above %d, up to 1, found '%s'",
		    option, low, text);
	return x;
}

/* Returns a number of tokens, which may be given in thousands. */
static size_t
context(const struct cli *cli, const char *text)
{
	char *end;
	double tokens = strtod(text, &end);

	if (end != text && (*end == 'k' || *end == 'K')) {
		tokens *= THOUSAND;
		end++;
	}
	if (*end != '\0' || !(tokens >= 1 && tokens <= CONTEXT_MAX))
		cli_usage(cli,
		    "--context: expected a number of tokens such as 32k, "
		    "found '%s'",
		    text);
	return (size_t)tokens;
}

/* Reads an option whose argument is a whole number. Returns false if the
 * option `code` does not take a whole number. */
static bool
set_number(struct judge_options *o, int code, const char *argument)
{
	struct scheduler *s = &o->scheduler;
	struct judge_way *way = &o->record_queue.way;
	const struct {
		int code;
		const char *name;
		size_t least, *number;
	} numbers[] = {
		{ 'j', "--jobs", 1, &s->jobs },
		{ RETRIES, "--retries", 0, &s->retries },
		{ TIMEOUT, "--timeout", 1, &s->seconds },
		{ MAX_TOKENS, "--max-tokens", 1,
		    &o->common.endpoint.max_tokens },
		{ MAX_CHECKS, "--max-checks", 1, &way->max_checks },
		{ SHUFFLE, "--shuffle", 1, &way->shuffle },
		{ VOTES, "--votes", 1, &way->votes },
		{ RPM, "--rpm", 1, &o->common.rate_limit.requests },
		{ TPM, "--tpm", 1, &o->common.rate_limit.tokens },
		{ MAX_REQUESTS, "--max-requests", 1, &s->budget.requests },
		{ LABEL, "--label", 1, &o->labelling.sample.wanted },
		{ SEED, "--seed", 1, &o->labelling.sample.seed },
		{ BATCH_SIZE, "--batch-size", 1, &o->batch_api.size },
		{ INTERVAL, "--interval", 1, &o->batch_api.interval },
	};

	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		if (numbers[i].code == code) {
			*numbers[i].number = cli_number(&o->cli,
			    numbers[i].name, argument, numbers[i].least);
			return true;
		}
	}
	return false;
}

/* Like set_number, but for an option whose argument is a string. */
static bool
set_text(struct judge_options *o, int code, const char *argument)
{
	struct endpoint_options *p =
	    o->n_judges == 0 ? &o->all : &o->judges[o->n_judges - 1].endpoint;
	const struct {
		int code;
		const char **text;
	} texts[] = {
		{ 'p', &p->provider },
		{ BASE_URL, &p->base_url },
		{ API_KEY_FILE, &p->key_file },
		{ HEADERS_FILE, &p->headers_file },
		{ EXEC, &p->command },
		{ EMBEDDING_MODEL, &o->measures[MEASURE_SIMILAR].model },
		{ EMBEDDING_URL, &o->measures[MEASURE_SIMILAR].base_url },
		{ MODERATION_MODEL, &o->measures[MEASURE_MODERATION].model },
		{ MODERATION_URL, &o->measures[MEASURE_MODERATION].base_url },
		{ CACHE, &o->scheduler.cache },
		{ LOG, &o->recorder.dir },
		{ CALIBRATE, &o->labels },
		{ LABELS, &o->labelling.path },
		{ BATCH_WRITE, &o->batch_api.write },
		{ BATCH_SEND, &o->batch_api.send },
		{ BATCH_POLL, &o->batch_api.poll },
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		if (texts[i].code == code) {
			*texts[i].text = argument;
			return true;
		}
	}
	return false;
}

/* Like set_number, but for an option without an argument. */
static bool
set_flag(struct judge_options *o, int code)
{
	struct scheduler *s = &o->scheduler;
	const struct {
		int code;
		bool *flag;
	} flags[] = {
		{ CACHE_ONLY, &s->cache_only },
		{ REFRESH, &s->refresh },
		{ 'n', &s->dry_run },
		{ CANARY, &o->record_queue.way.canary },
		{ RETRY_ERRORS, &o->record_queue.way.retry_errors },
		{ AGAIN, &o->record_queue.way.again },
		{ PAIRWISE, &o->pairwise },
		{ RETRY_TIMEOUTS, &s->retry_timeouts },
		{ UNORDERED, &o->record_queue.unordered },
		{ JSON, &o->json },
		{ UNCERTAIN, &o->labelling.sample.uncertain },
		{ 'e', &o->exit_status },
	};

	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
		if (flags[i].code == code) {
			*flags[i].flag = true;
			return true;
		}
	}
	return false;
}

/* Adds to a list. Returns false for other options. */
static bool
add_to_list(struct judge_options *o, int code, const char *argument)
{
	switch (code) {
	case 'm':
	case ESCALATE:
		*arena_push(&o->arena, o->judges, o->n_judges) =
		    (struct named_judge){ .endpoint.model = argument,
			    .later = code == ESCALATE };
		return true;
	case RUBRIC:
		*arena_push(&o->arena, o->rubrics, o->n_rubrics) =
		    out_quote(&o->arena, str_of(argument));
		return true;
	case BATCH_READ:
		*arena_push(&o->arena, o->batch_api.read, o->batch_api.n_read) =
		    argument;
		return true;
	default:
		return false;
	}
}

static void
set_option(struct judge_options *o, int code, const char *argument)
{
	struct scheduler *s = &o->scheduler;
	struct str wrong = { 0 };

	if (set_number(o, code, argument) || set_text(o, code, argument) ||
	    set_flag(o, code) || add_to_list(o, code, argument))
		return;
	switch (code) {
	case LIST_PROVIDERS:
		cli_list(provider_row);
	case TEMPERATURE:
		o->common.endpoint.temperature = temperature(&o->cli, argument);
		break;
	case PARAM:
		if (!params_add(&o->common.endpoint.params, &o->arena,
			str_of(argument), &wrong))
			cli_usage(&o->cli, "%.*s", STR_FMT(wrong));
		break;
	case MAX_COST:
		s->budget.usd = max_cost(&o->cli, argument);
		break;
	case MIN_KAPPA:
		o->min_kappa = fraction(&o->cli, "--min-kappa", argument, -1);
		break;
	case WIDTH:
		o->width = fraction(&o->cli, "--width", argument, 0);
		break;
	case PRICES:
		if (!prices_option(&o->arena, argument, &s->prices))
			exit(2);
		break;
	case CONTEXT:
		o->record_queue.way.context = context(&o->cli, argument);
		break;
	case MAX_HELD:
		o->record_queue.most_held =
		    cli_size(&o->cli, "--max-held", argument);
		break;
	case REDACT:
		if (!redact_file(
			&o->record_queue.way.redact, &o->arena, argument))
			exit(2);
		break;
	default:
		cli_option(&o->cli, code, argument);
	}
}

static const struct option longs[] = {
	{ "model", required_argument, NULL, 'm' },
	{ "base-url", required_argument, NULL, BASE_URL },
	{ "provider", required_argument, NULL, 'p' },
	{ "list-providers", no_argument, NULL, LIST_PROVIDERS },
	{ "api-key-file", required_argument, NULL, API_KEY_FILE },
	{ "headers-file", required_argument, NULL, HEADERS_FILE },
	{ "exec", required_argument, NULL, EXEC },
	{ "escalate", required_argument, NULL, ESCALATE },
	{ "embedding-model", required_argument, NULL, EMBEDDING_MODEL },
	{ "embedding-url", required_argument, NULL, EMBEDDING_URL },
	{ "moderation-model", required_argument, NULL, MODERATION_MODEL },
	{ "moderation-url", required_argument, NULL, MODERATION_URL },
	{ "cache", required_argument, NULL, CACHE },
	{ "cache-only", no_argument, NULL, CACHE_ONLY },
	{ "refresh", no_argument, NULL, REFRESH },
	{ "log", required_argument, NULL, LOG },
	{ "dry-run", no_argument, NULL, 'n' },
	{ "jobs", required_argument, NULL, 'j' },
	{ "retries", required_argument, NULL, RETRIES },
	{ "retry-errors", no_argument, NULL, RETRY_ERRORS },
	{ "again", no_argument, NULL, AGAIN },
	{ "pairwise", no_argument, NULL, PAIRWISE },
	{ "rubric", required_argument, NULL, RUBRIC },
	{ "retry-timeouts", no_argument, NULL, RETRY_TIMEOUTS },
	{ "timeout", required_argument, NULL, TIMEOUT },
	{ "temperature", required_argument, NULL, TEMPERATURE },
	{ "max-tokens", required_argument, NULL, MAX_TOKENS },
	{ "param", required_argument, NULL, PARAM },
	{ "redact", required_argument, NULL, REDACT },
	{ "context", required_argument, NULL, CONTEXT },
	{ "max-checks", required_argument, NULL, MAX_CHECKS },
	{ "shuffle", required_argument, NULL, SHUFFLE },
	{ "votes", required_argument, NULL, VOTES },
	{ "canary", no_argument, NULL, CANARY },
	{ "unordered", no_argument, NULL, UNORDERED },
	{ "max-held", required_argument, NULL, MAX_HELD },
	{ "rpm", required_argument, NULL, RPM },
	{ "tpm", required_argument, NULL, TPM },
	{ "max-requests", required_argument, NULL, MAX_REQUESTS },
	{ "max-cost", required_argument, NULL, MAX_COST },
	{ "prices", required_argument, NULL, PRICES },
	{ "label", required_argument, NULL, LABEL },
	{ "labels", required_argument, NULL, LABELS },
	{ "uncertain", no_argument, NULL, UNCERTAIN },
	{ "seed", required_argument, NULL, SEED },
	{ "calibrate", required_argument, NULL, CALIBRATE },
	{ "json", no_argument, NULL, JSON },
	{ "min-kappa", required_argument, NULL, MIN_KAPPA },
	{ "width", required_argument, NULL, WIDTH },
	{ "exit-status", no_argument, NULL, 'e' },
	{ "batch-write", required_argument, NULL, BATCH_WRITE },
	{ "batch-size", required_argument, NULL, BATCH_SIZE },
	{ "batch-send", required_argument, NULL, BATCH_SEND },
	{ "batch-poll", required_argument, NULL, BATCH_POLL },
	{ "interval", required_argument, NULL, INTERVAL },
	{ "batch-read", required_argument, NULL, BATCH_READ },
	CLI_LONG,
	{ NULL, 0, NULL, 0 },
};

static void
read_command_line(struct judge_options *o, int argc, char **argv)
{
	int code;

	o->scheduler =
	    (struct scheduler){ .jobs = 8, .retries = 4, .seconds = 120 };
	o->common.endpoint.temperature = -1;
	o->record_queue.way.votes = 1;
	o->min_kappa = NO_KAPPA;
	o->record_queue.most_held = MOST_HELD;
	while ((code = cli_getopt(
		    &o->cli, argc, argv, CLI_SHORT "m:p:nj:e", longs)) != -1)
		set_option(o, code, optarg);
}

void
judge_options_read(struct judge_options *o, int argc, char **argv)
{
	cli_start(&o->cli, argv, help, usage);
	cli_need_argument(&o->cli, argv,
	    "mcpl-check -s SPEC traces.jsonl | mcpl-judge -m "
	    "openai/gpt-5-mini");
	read_command_line(o, argc, argv);
}

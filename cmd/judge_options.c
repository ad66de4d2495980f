#include "cmd/judge_options.h"

#include <math.h>
#include <stdlib.h>

#include "redact/rules.h"

static const char usage[] =
    "usage: mcpl-judge -m MODEL [--base-url URL] [OPTION...] [FILE...]\n"
    "       mcpl-judge --exec COMMAND [OPTION...] [FILE...]\n"
    "       mcpl-judge -n [OPTION...] [FILE...]\n"
    "       mcpl-judge --batch-send DIR -m MODEL [OPTION...]\n"
    "\n"
    "Has the pending checks of runs judged, and writes each run with the\n"
    "verdicts. Runs come as mcpl-check writes them. Without FILE, or where\n"
    "FILE is -, reads standard input. If no judge is named, all passes\n"
    "through.\n"
    "\n"
    "  -m, --model MODEL        ask this model (MCPL_JUDGE_MODEL)\n"
    "      --base-url URL       of this server (MCPL_JUDGE_BASE_URL), such\n"
    "                           as http://localhost:11434/v1\n"
    "  -p, --provider PROVIDER  that speaks this protocol\n"
    "                           (MCPL_JUDGE_PROVIDER)\n"
    "      --list-providers     name the protocols and stop\n"
    "      --api-key-file FILE  the key is in FILE, not in the environment\n"
    "      --headers-file FILE  send the headers in FILE, too\n"
    "      --exec COMMAND       run COMMAND once for each request\n"
    "\n"
    "      --cache DIR          keep answers in DIR, and ask nothing twice\n"
    "      --cache-only         never ask; what is not in DIR is an error\n"
    "      --refresh            ask even what is in DIR\n"
    "  -n, --dry-run            only count what would be asked\n"
    "  -j, --jobs N             ask up to N at once (8)\n"
    "      --retries N          try again up to N times (4)\n"
    "      --timeout SECONDS    for each try (600)\n"
    "      --temperature T      from 0 to 2; else the server's own\n"
    "      --max-tokens N       of an answer; else the server's own\n"
    "\n"
    "      --redact FILE        send nothing that this file names, or the\n"
    "                           built-in set (default): e-mail addresses,\n"
    "                           keys, tokens, card numbers\n"
    "      --max-checks N       ask about no more than N in a request\n"
    "      --shuffle SEED       ask in an order that hangs on this number\n"
    "      --votes N            ask N times; the majority decides\n"
    "      --canary             put one that has to fail into each request\n"
    "      --calibrate LABELS   write how the verdicts agree with people's,\n"
    "                           rather than the runs\n"
    "      --json               write that as JSON\n"
    "\n"
    "      --rpm N              send up to N requests a minute\n"
    "      --tpm N              use up to N tokens a minute\n"
    "      --max-requests N     stop asking after N requests\n"
    "      --max-cost USD       stop asking before more than this is spent\n"
    "      --prices FILE        what models cost, as JSON\n"
    "\n"
    "      --batch-write DIR    write requests into files in DIR instead\n"
    "      --batch-size N       up to N in a file\n"
    "      --batch-send DIR     send them to the provider's Batch API\n"
    "      --batch-poll DIR     fetch what is done\n"
    "      --interval SECONDS   and look again until all is\n"
    "      --batch-read FILE    take replies from FILE, or all in a folder\n"
    "\n"
    "      --unordered          let each run go as soon as it is judged\n"
    "  -e, --exit-status        end with 1 if a run is failed or error\n"
    "\n" CLI_HELP;

enum {
	BASE_URL = CLI_OWN,
	LIST_PROVIDERS,
	API_KEY_FILE,
	HEADERS_FILE,
	EXEC,
	CACHE,
	CACHE_ONLY,
	REFRESH,
	RETRIES,
	TIMEOUT,
	TEMPERATURE,
	MAX_TOKENS,
	MAX_CHECKS,
	SHUFFLE,
	VOTES,
	CANARY,
	UNORDERED,
	RPM,
	TPM,
	MAX_REQUESTS,
	MAX_COST,
	PRICES,
	CALIBRATE,
	JSON,
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

/* Sets an option whose argument is an integer; returns false if the option is
 * of another kind. */
static bool
set_number(struct judge_options *o, int code, const char *argument)
{
	struct scheduler *a = &o->scheduler;
	struct judge_way *way = &o->record_queue.way;
	const struct {
		int code;
		const char *name;
		size_t least, *number;
	} numbers[] = {
		{ 'j', "--jobs", 1, &a->jobs },
		{ RETRIES, "--retries", 0, &a->retries },
		{ TIMEOUT, "--timeout", 1, &a->seconds },
		{ MAX_TOKENS, "--max-tokens", 1, &a->endpoint.max_tokens },
		{ MAX_CHECKS, "--max-checks", 1, &way->max_checks },
		{ SHUFFLE, "--shuffle", 1, &way->shuffle },
		{ VOTES, "--votes", 1, &way->votes },
		{ RPM, "--rpm", 1, &a->rate_limit.requests },
		{ TPM, "--tpm", 1, &a->rate_limit.tokens },
		{ MAX_REQUESTS, "--max-requests", 1, &a->budget.requests },
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

/* Like set_number, for an option whose argument is text. */
static bool
set_text(struct judge_options *o, int code, const char *argument)
{
	struct endpoint_options *p = &o->endpoint;
	const struct {
		int code;
		const char **text;
	} texts[] = {
		{ 'm', &p->model },
		{ 'p', &p->provider },
		{ BASE_URL, &p->base_url },
		{ API_KEY_FILE, &p->key_file },
		{ HEADERS_FILE, &p->headers_file },
		{ EXEC, &p->command },
		{ CACHE, &o->scheduler.cache },
		{ CALIBRATE, &o->labels },
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

/* Like set_number, for an option without an argument. */
static bool
set_flag(struct judge_options *o, int code)
{
	struct scheduler *a = &o->scheduler;
	const struct {
		int code;
		bool *flag;
	} flags[] = {
		{ CACHE_ONLY, &a->cache_only },
		{ REFRESH, &a->refresh },
		{ 'n', &a->dry_run },
		{ CANARY, &o->record_queue.way.canary },
		{ UNORDERED, &o->record_queue.unordered },
		{ JSON, &o->json },
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

static void
set_option(struct judge_options *o, int code, const char *argument)
{
	struct scheduler *a = &o->scheduler;

	if (set_number(o, code, argument) || set_text(o, code, argument) ||
	    set_flag(o, code))
		return;
	switch (code) {
	case LIST_PROVIDERS:
		cli_list(provider_row);
	case TEMPERATURE:
		a->endpoint.temperature = temperature(&o->cli, argument);
		break;
	case MAX_COST:
		a->budget.usd = max_cost(&o->cli, argument);
		break;
	case PRICES:
		a->prices = prices_read(&o->arena, argument);
		if (a->prices == NULL)
			exit(2);
		break;
	case REDACT:
		if (!redact_file(
			&o->record_queue.way.redact, &o->arena, argument))
			exit(2);
		break;
	case BATCH_READ:
		*arena_push(&o->arena, o->batch_api.read, o->batch_api.n_read) =
		    argument;
		break;
	default:
		cli_option(&o->cli, code, argument);
	}
}

static void
read_command_line(struct judge_options *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "model", required_argument, NULL, 'm' },
		{ "base-url", required_argument, NULL, BASE_URL },
		{ "provider", required_argument, NULL, 'p' },
		{ "list-providers", no_argument, NULL, LIST_PROVIDERS },
		{ "api-key-file", required_argument, NULL, API_KEY_FILE },
		{ "headers-file", required_argument, NULL, HEADERS_FILE },
		{ "exec", required_argument, NULL, EXEC },
		{ "cache", required_argument, NULL, CACHE },
		{ "cache-only", no_argument, NULL, CACHE_ONLY },
		{ "refresh", no_argument, NULL, REFRESH },
		{ "dry-run", no_argument, NULL, 'n' },
		{ "jobs", required_argument, NULL, 'j' },
		{ "retries", required_argument, NULL, RETRIES },
		{ "timeout", required_argument, NULL, TIMEOUT },
		{ "temperature", required_argument, NULL, TEMPERATURE },
		{ "max-tokens", required_argument, NULL, MAX_TOKENS },
		{ "redact", required_argument, NULL, REDACT },
		{ "max-checks", required_argument, NULL, MAX_CHECKS },
		{ "shuffle", required_argument, NULL, SHUFFLE },
		{ "votes", required_argument, NULL, VOTES },
		{ "canary", no_argument, NULL, CANARY },
		{ "unordered", no_argument, NULL, UNORDERED },
		{ "rpm", required_argument, NULL, RPM },
		{ "tpm", required_argument, NULL, TPM },
		{ "max-requests", required_argument, NULL, MAX_REQUESTS },
		{ "max-cost", required_argument, NULL, MAX_COST },
		{ "prices", required_argument, NULL, PRICES },
		{ "calibrate", required_argument, NULL, CALIBRATE },
		{ "json", no_argument, NULL, JSON },
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
	int code;

	o->scheduler = (struct scheduler){ .jobs = 8,
		.retries = 4,
		.seconds = 600,
		.endpoint.temperature = -1 };
	o->record_queue.way.votes = 1;
	while ((code = cli_getopt(
		    &o->cli, argc, argv, CLI_SHORT "m:p:nj:e", longs)) != -1)
		set_option(o, code, optarg);
}

void
judge_options_read(struct judge_options *o, int argc, char **argv)
{
	cli_start(&o->cli, argv, usage);
	read_command_line(o, argc, argv);
}

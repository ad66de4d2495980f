#include "emulate/regex/engine/pcre2.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

#include "base/diag.h"

enum {
	/* Some milliseconds. A search that needs more is better left to an
	 * engine of linear time. */
	MATCH_LIMIT = 100 * 1000,
};

struct pcre2_regex {
	pcre2_code *code;
	pcre2_match_context *context;
};

static void *
alloc(size_t n, void *unused)
{
	void *p = malloc(n);

	(void)unused;
	if (p == NULL)
		diag_die("out of memory (%zu bytes wanted for a pattern)", n);
	return p;
}

static void
release(void *p, void *unused)
{
	(void)unused;
	free(p);
}

/* Compiles the pattern. PCRE2 gets an allocator that never returns NULL: after
 * a NULL in a class of letters, the compiler of 10.46 (Debian 13) continues and
 * crashes. */
static struct pcre2_regex *
compile(struct str pattern, uint32_t flags)
{
	struct pcre2_regex *regex = alloc(sizeof *regex, NULL);
	pcre2_general_context *memory =
	    pcre2_general_context_create(alloc, release, NULL);
	pcre2_compile_context *context = pcre2_compile_context_create(memory);
	PCRE2_SIZE offset;
	int error;

	regex->code = pcre2_compile(
	    (PCRE2_SPTR)pattern.s, pattern.n, flags, &error, &offset, context);
	regex->context = pcre2_match_context_create(memory);
	pcre2_compile_context_free(context);
	pcre2_general_context_free(memory);
	return regex;
}

struct pcre2_regex *
pcre2_regex_new(struct str pattern, unsigned options)
{
	uint32_t flags = PCRE2_NEVER_UCP | PCRE2_NO_UTF_CHECK;
	struct pcre2_regex *regex;

	if (options & PCRE2_REGEX_UTF)
		flags |= PCRE2_UTF;
	if (options & PCRE2_REGEX_UNSET)
		flags |= PCRE2_MATCH_UNSET_BACKREF;
	if (options & PCRE2_REGEX_PLAIN)
		flags |= PCRE2_NO_START_OPTIMIZE;
	if (options & PCRE2_REGEX_ANCHORED)
		flags |= PCRE2_ANCHORED;
	regex = compile(pattern, flags);
	if (regex->code == NULL ||
	    pcre2_jit_compile(regex->code, PCRE2_JIT_COMPLETE) != 0) {
		pcre2_regex_free(regex);
		return NULL;
	}
	pcre2_set_match_limit(regex->context, MATCH_LIMIT);
	return regex;
}

void
pcre2_regex_free(struct pcre2_regex *regex)
{
	if (regex == NULL)
		return;
	pcre2_match_context_free(regex->context);
	pcre2_code_free(regex->code);
	free(regex);
}

static void
copy_spans(pcre2_match_data *data, int matched, size_t *spans, size_t groups)
{
	const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(data);

	for (size_t i = 0; i < 2 * groups; i++)
		spans[i] = i < 2 * (size_t)matched ? ends[i] : SIZE_MAX;
}

/* Memory for PCRE2's data of one search, which are small as a rule. */
struct scratch {
	size_t used;
	_Alignas(max_align_t) char bytes[512];
};

static void *
scratch_alloc(size_t n, void *arg)
{
	struct scratch *scratch = arg;
	const size_t align = _Alignof(max_align_t);
	char *p = scratch->bytes + scratch->used;

	if (n > sizeof scratch->bytes - scratch->used)
		return alloc(n, NULL);
	scratch->used += (n + align - 1) & ~(align - 1);
	return p;
}

static void
scratch_release(void *p, void *arg)
{
	const struct scratch *scratch = arg;

	if ((uintptr_t)p - (uintptr_t)scratch->bytes >= sizeof scratch->bytes)
		free(p);
}

enum regex_found
pcre2_regex_search(const struct pcre2_regex *regex, struct str text,
    size_t from, size_t *spans, size_t groups)
{
	uint32_t wanted = spans == NULL ? 1 : (uint32_t)groups;
	PCRE2_SPTR s = (PCRE2_SPTR)(text.s == NULL ? "" : text.s);
	struct scratch scratch;
	pcre2_general_context *memory;
	pcre2_match_data *data;
	int rc;

	scratch.used = 0; /* the bytes need no value */
	memory = pcre2_general_context_create(
	    scratch_alloc, scratch_release, &scratch);
	data = pcre2_match_data_create(wanted, memory);
	rc = pcre2_jit_match(
	    regex->code, s, text.n, from, 0, data, regex->context);
	if (rc > 0 && spans != NULL)
		copy_spans(data, rc, spans, groups);
	pcre2_match_data_free(data);
	pcre2_general_context_free(memory);
	if (rc == PCRE2_ERROR_NOMATCH)
		return REGEX_NO;
	return rc < 0 ? REGEX_LIMIT : REGEX_YES;
}

/* Threads that use the library at the same time, each with objects of its own or with a
 * check of a spec that all share: all get the same, and ThreadSanitizer sees no race. */
#include "face/mcpl-tools.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "io/list_files.h"
#include "tests/unit/unit.h"

enum { THREADS = 4, EACH = 60 /* a record of so many is checked */ };

/* The records of the logs of testdata/, and a hash of all that the library said. */
struct thread {
	pthread_t thread;
	const mcplt_spec *shared;
	mcplt *m;
	char **records;
	size_t n, messages;
	uint64_t hash;
};

static struct folder specs;

static void
note(struct thread *t, const char *s, size_t n)
{
	t->hash = hash_add(t->hash, (struct str){ s, n });
}

static void
hear(void *arg, const struct mcplt_message *m)
{
	struct thread *t = arg;

	t->messages++;
	note(t, m->text, strlen(m->text));
}

static int
take(void *arg, struct mcplt_text record)
{
	struct thread *t = arg;
	char **longer = realloc(t->records, (t->n + 1) * sizeof *longer);

	t->records = longer;
	t->records[t->n++] = strndup(record.s, record.n);
	note(t, record.s, record.n);
	return 0;
}

static void
extract_logs(struct thread *t)
{
	static const char *const paths[] = { "testdata/logs" };
	const struct mcplt_extract_options o = {
		.size = sizeof o, .take = take, .arg = t
	};

	(void)mcplt_extract_files(t->m, &o, paths, 1);
}

/* Checks some records by the spec, and asks about a call of each. */
static void
check_some(
    struct thread *t, const mcplt_spec *spec, mcplt_report *report, size_t from)
{
	mcplt_check *c = mcplt_check_open(spec, NULL);

	for (size_t i = from % EACH; i < t->n; i += EACH) {
		const struct mcplt_text record = { t->records[i],
			strlen(t->records[i]) };
		struct mcplt_text checked;
		enum mcplt_status status, permitted;
		size_t n;

		mcplt_check_record(c, record, &status, &checked);
		note(t, checked.s, checked.n);
		mcplt_report_add(report, checked);
		(void)mcplt_check_results(c, &n);
		mcplt_check_call(c, record, (struct mcplt_text){ "refund", 6 },
		    (struct mcplt_text){ "{\"a\":1}", 7 }, &permitted);
		t->hash = t->hash * 31 + n;
		t->hash = t->hash * 31 + permitted;
		t->hash = t->hash * 31 + status;
	}
	mcplt_check_close(c);
}

/* Returns a report in format i; NULL behind the last. */
static mcplt_report *
open_report(struct thread *t, size_t i)
{
	const char *about;
	struct mcplt_report_options o = { .size = sizeof o,
		.format = mcplt_report_format(i, &about) };

	return o.format == NULL ? NULL : mcplt_report_open(t->m, &o);
}

static void
end_report(struct thread *t, mcplt_report *report)
{
	struct mcplt_text text;

	mcplt_report_end(report, &text, NULL);
	note(t, text.s, text.n);
	mcplt_report_close(report);
}

static void
check_by_files(struct thread *t)
{
	mcplt_report *report = open_report(t, 0);

	for (size_t i = 0; i < specs.n; i++) {
		mcplt_spec *spec = mcplt_spec_open(t->m);

		mcplt_spec_file(spec, specs.paths[i], NULL);
		check_some(t, spec, report, i);
		mcplt_spec_close(spec);
	}
	end_report(t, report);
}

static void
check_by_shared(struct thread *t)
{
	mcplt_report *report;

	for (size_t i = 0; (report = open_report(t, i)) != NULL; i++) {
		check_some(t, t->shared, report, i);
		end_report(t, report);
	}
}

static void *
work(void *arg)
{
	struct thread *t = arg;
	struct mcplt_options o = { sizeof o, hear, t };

	t->m = mcplt_open(&o);
	extract_logs(t);
	check_by_files(t);
	check_by_shared(t);
	mcplt_close(t->m);
	for (size_t i = 0; i < t->n; i++)
		free(t->records[i]);
	free(t->records);
	return NULL;
}

/* Returns a spec of every file of testdata/specs that has no mistake. */
static mcplt_spec *
shared_spec(mcplt *m)
{
	mcplt_spec *all = mcplt_spec_open(m);

	for (size_t i = 0; i < specs.n; i++) {
		mcplt_spec *one = mcplt_spec_open(m);

		if (mcplt_spec_file(one, specs.paths[i], NULL) == MCPLT_OK)
			mcplt_spec_file(all, specs.paths[i], NULL);
		mcplt_spec_close(one);
	}
	return all;
}

int
main(void)
{
	struct thread threads[THREADS] = { 0 };
	struct arena a = { 0 };
	mcplt *m = mcplt_open(NULL);
	mcplt_spec *shared;

	specs = list_files(&a, "testdata/specs");
	shared = shared_spec(m);
	for (size_t i = 0; i < THREADS; i++) {
		threads[i].shared = shared;
		if (pthread_create(
			&threads[i].thread, NULL, work, &threads[i]) != 0)
			abort();
	}
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(threads[i].thread, NULL);
		CHECK(threads[i].hash == threads[0].hash);
	}
	CHECK(specs.n > 100 && threads[0].n > 500 && threads[0].messages > 10);
	mcplt_spec_close(shared);
	mcplt_close(m);
	arena_free(&a);
	return unit_status();
}

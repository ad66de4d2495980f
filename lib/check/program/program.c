#include "check/program/program.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base64.h"
#include "io/proc.h"
#include "io/sandbox.h"

enum {
	ANSWER_MAX = 16 * 1024 * 1024, /* bytes of an answer */
	MEMORY_KB = 2 * 1024 * 1024,   /* of an interpreter's data */
	NOT_FOUND = 127,               /* a shell's exit status */
};

extern const unsigned char node_mjs[], python_py[];
extern const size_t node_mjs_size, python_py_size;

/* A process that runs, or will when a call needs it. */
struct process {
	enum program_language language;
	struct str folder;
	bool fresh, running; /* fresh: it has got no call yet */
	struct proc proc;
};

struct programs {
	const struct program_settings *settings;
	struct arena arena;
	struct process **list;
	size_t n;
};

/* ---- names ---- */

int
program_language_of(struct str path)
{
	static const struct {
		const char *suffix;
		enum program_language language;
	} list[] = { { ".js", PROGRAM_JAVASCRIPT },
		{ ".cjs", PROGRAM_JAVASCRIPT }, { ".mjs", PROGRAM_JAVASCRIPT },
		{ ".ts", PROGRAM_JAVASCRIPT }, { ".cts", PROGRAM_JAVASCRIPT },
		{ ".mts", PROGRAM_JAVASCRIPT }, { ".py", PROGRAM_PYTHON } };

	for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
		if (str_ends(path, str_of(list[i].suffix)))
			return (int)list[i].language;
	return -1;
}

void
program_split(struct str reference, struct str *file, struct str *function)
{
	size_t colon = str_find_char(reference, ':');

	*file = str_slice(reference, 0, colon);
	*function = (struct str){ 0 };
	if (colon < reference.n)
		*function = str_from(reference, colon + 1);
}

static const char *
interpreter(enum program_language language)
{
	return language == PROGRAM_PYTHON ? "python3" : "node";
}

/* ---- processes ---- */

#define LIMITED "ulimit -d %d 2>/dev/null; exec "
#define ANSWERS " 3>&1 1>&2"

/* Returns the shell's command that starts the interpreter. Answers go to descriptor
 * 3, so that what a program prints is none of them. */
static struct str
command_of(enum program_language language, struct arena *a)
{
	struct str python = { (const char *)python_py, python_py_size },
		   node = { (const char *)node_mjs, node_mjs_size };

	if (language == PROGRAM_PYTHON)
		return str_printf(a, LIMITED "python3 -B -c '%.*s'" ANSWERS,
		    MEMORY_KB,
		    STR_FMT(str_replace(a, python, STR("'"), STR("'\\''"))));
	/* A text after -e would see other globals than a module has. */
	return str_printf(a,
	    LIMITED "node --import data:text/javascript\\;base64,%.*s "
		    "/dev/null" ANSWERS,
	    MEMORY_KB, STR_FMT(base64_print(a, node)));
}

/* Returns the path of the folder, which a sandbox needs as an absolute one. */
static const char *
absolute(struct str folder, struct arena *a)
{
	const char *path = folder.n == 0 ? "." : str_c(a, folder);
	char full[PATH_MAX];

	return realpath(path, full) == NULL ? path : str_c(a, str_of(full));
}

static void
start(struct programs *ps, struct process *p, struct arena *a)
{
	const char *dir = absolute(p->folder, a);
	struct str command = command_of(p->language, a);

	p->proc = (struct proc){ .command = str_c(a, command),
		.dir = dir,
		.asked = true,
		.environment = ps->settings->environment,
		.seconds = ps->settings->seconds,
		.limit = ANSWER_MAX,
		.bounded = true,
		.errors = true,
		.arena = a };
	if (ps->settings->sandbox)
		p->proc.argv = sandbox_command(a, dir, p->proc.command);
	proc_start(&p->proc);
	p->running = p->fresh = true;
}

/* Returns the process for the call, which need not run. */
static struct process *
process_for(struct programs *ps, const struct program_call *call)
{
	struct process *p;

	for (size_t i = 0; i < ps->n; i++) {
		p = ps->list[i];
		if (p->language == call->language &&
		    str_eq(p->folder, call->folder))
			return p;
	}
	p = arena_new(&ps->arena, struct process);
	p->language = call->language;
	p->folder = str_dup(&ps->arena, call->folder);
	*arena_push(&ps->arena, ps->list, ps->n) = p;
	return p;
}

struct programs *
programs_open(const struct program_settings *settings)
{
	struct arena arena = { 0 };
	struct programs *ps = arena_new(&arena, struct programs);

	ps->settings = settings;
	ps->arena = arena;
	return ps;
}

void
programs_close(struct programs *ps)
{
	struct arena arena, last = { 0 };

	if (ps == NULL)
		return;
	for (size_t i = 0; i < ps->n; i++)
		if (ps->list[i]->running) {
			ps->list[i]->proc.arena = &last;
			proc_kill(&ps->list[i]->proc);
		}
	arena_free(&last);
	arena = ps->arena;
	arena_free(&arena);
}

/* ---- calls ---- */

static struct str
request(const struct program_call *call, struct arena *a)
{
	struct out o;

	out_open_json(&o, '{');
	if (call->code.s != NULL) {
		out_member_str(&o, "code", call->code);
		out_member_str(&o, "parameters", str_of(call->parameters));
		out_member_bool(&o, "expression", call->expression);
	} else {
		out_member_str(&o, "file", call->file);
		if (call->function.s != NULL)
			out_member_str(&o, "function", call->function);
		else if (call->otherwise != NULL)
			out_member_str(&o,
			    call->language == PROGRAM_PYTHON ? "function"
							     : "otherwise",
			    str_of(call->otherwise));
	}
	if (call->data)
		out_member_bool(&o, "data", true);
	out_key(&o, "args");
	out_source(&o, call->args); /* one line */
	return out_keep_json(&o, '}', a);
}

/* Returns why the process is over. */
static struct str
trouble(const struct process *p, struct arena *a)
{
	const char *name = interpreter(p->language);
	struct str why = proc_trouble(&p->proc);

	if (p->proc.failed == 0 && !p->proc.timed_out &&
	    WIFEXITED(p->proc.status) &&
	    WEXITSTATUS(p->proc.status) == NOT_FOUND)
		return str_printf(a, "%s is not installed", name);
	if (why.n == 0)
		why = STR("it ended without an answer");
	return str_printf(a, "%s: %.*s", name, STR_FMT(why));
}

/* Asks the process, which is started if it does not run; again if it ends for what
 * an earlier call left behind. Returns false if it gives no answer. */
static bool
ask(struct programs *ps, struct process *p, struct str line, struct str *answer)
{
	struct arena *a = p->proc.arena;
	bool answered, again;

	do {
		if (!p->running)
			start(ps, p, a);
		p->proc.arena = a;
		if (p->proc.failed != 0)
			proc_kill(&p->proc);
		answered =
		    p->proc.failed == 0 && proc_ask(&p->proc, line, answer);
		again = !answered && !p->fresh && !p->proc.timed_out;
		p->fresh = false;
		p->running = !p->proc.over;
	} while (again);
	return answered;
}

static struct program_answer
read_answer(struct str line, struct arena *a)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *v =
	    json_keep(a, json_read(&reader, line, NULL, &error));
	struct program_answer answer = {
		.value = json_get(v, "value"),
		.type = json_text(json_get(v, "type"), a),
		.text = json_text(json_get(v, "text"), a),
		.error = json_text(json_get(v, "error"), a),
	};

	json_reader_free(&reader);
	if (answer.type.s == NULL && answer.error.s == NULL)
		answer.error = STR("the answer is not JSON that is read here");
	return answer;
}

/* Returns whether the file of the call is there, or there is no file. */
static bool
is_there(const struct program_call *call, struct arena *a)
{
	const char *in =
	    call->folder.n != 0 && !str_starts(call->file, "/") ? "/" : "";
	struct str folder = *in == '/' ? call->folder : STR("");

	return call->file.s == NULL ||
	    access(str_c(a,
		       str_printf(a, "%.*s%s%.*s", STR_FMT(folder), in,
			   STR_FMT(call->file))),
		R_OK) == 0;
}

struct program_answer
program_ask(
    struct programs *ps, const struct program_call *call, struct arena *a)
{
	struct process *p = process_for(ps, call);
	struct str line;

	if (!is_there(call, a))
		return (struct program_answer){ .error = str_printf(a,
						    "cannot read '%.*s'",
						    STR_FMT(call->file)) };
	p->proc.arena = a;
	if (!ask(ps, p, request(call, a), &line))
		return (struct program_answer){ .error = trouble(p, a) };
	return read_answer(line, a);
}

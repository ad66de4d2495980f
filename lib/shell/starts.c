/* Programs that start another command: their flags, and where the command is. */
#include <string.h>

#include "shell/parser.h"

/* A program that starts the command that its operands are. */
struct starter {
	struct str name;
	const char *takes;      /* flags of one letter that take a word */
	const char *takes_long; /* the same for --flags */
	const char *text;       /* flags whose word is a command line */
	const char *lacks;      /* flags with which nothing is started */
	unsigned operands;      /* operands before the command */
	bool assigns;           /* NAME=VALUE may stand before the command */
	bool joins;             /* operands are joined to a command line */
	bool only_text;         /* operands are no command */
};

static const struct starter starters[] = {
	{ .name = STR_CONST("env"),
	    .takes = "uC",
	    .takes_long = "unset chdir",
	    .text = "S split-string",
	    .assigns = true },
	{ .name = STR_CONST("sudo"),
	    .takes = "aCcDghpRrTtUu",
	    .takes_long = "user group host prompt chdir chroot role type "
			  "other-user close-from command-timeout login-class",
	    .lacks = "elvVKk",
	    .assigns = true },
	{ .name = STR_CONST("doas"), .takes = "aCu" },
	{ .name = STR_CONST("su"),
	    .takes = "gGsw",
	    .takes_long = "group supp-group shell whitelist-environment",
	    .text = "c command session-command",
	    .only_text = true },
	{ .name = STR_CONST("script"),
	    .takes = "EIOTmoB",
	    .takes_long = "log-in log-out log-io log-timing",
	    .text = "c command",
	    .only_text = true },
	{ .name = STR_CONST("command"), .lacks = "vV" },
	{ .name = STR_CONST("exec"), .takes = "a" },
	{ .name = STR_CONST("nohup") },
	{ .name = STR_CONST("setsid") },
	{ .name = STR_CONST("busybox") },
	{ .name = STR_CONST("time"),
	    .takes = "fo",
	    .takes_long = "format output" },
	{ .name = STR_CONST("nice"), .takes = "n", .takes_long = "adjustment" },
	{ .name = STR_CONST("ionice"),
	    .takes = "cnpPu",
	    .takes_long = "class classdata pid pgid uid" },
	{ .name = STR_CONST("timeout"),
	    .takes = "ks",
	    .takes_long = "kill-after signal",
	    .operands = 1 },
	{ .name = STR_CONST("stdbuf"),
	    .takes = "ioe",
	    .takes_long = "input output error" },
	{ .name = STR_CONST("strace"), .takes = "abeEIoOpPsSuUX" },
	{ .name = STR_CONST("ltrace"), .takes = "abeEIoOpPsSuUX" },
	{ .name = STR_CONST("xargs"),
	    .takes = "adEILnPs",
	    .takes_long = "arg-file delimiter max-args max-procs max-chars "
			  "process-slot-var" },
	{ .name = STR_CONST("parallel"),
	    .takes = "aCIjLnNPsSE",
	    .takes_long = "arg-file jobs colsep delay joblog max-args "
			  "max-replace-args results retries sshlogin timeout "
			  "workdir tagstring",
	    .joins = true },
	{ .name = STR_CONST("watch"),
	    .takes = "nq",
	    .takes_long = "interval equexit",
	    .lacks = "hv",
	    .joins = true },
	{ .name = STR_CONST("flock"),
	    .takes = "wE",
	    .takes_long = "timeout conflict-exit-code",
	    .text = "c command",
	    .operands = 1 },
	{ .name = STR_CONST("chroot"),
	    .takes_long = "userspec groups",
	    .operands = 1 },
	{ .name = STR_CONST("ssh"),
	    .takes = "BbcDEeFIiJLlmOopQRSWw",
	    .operands = 1,
	    .joins = true },
	{ .name = STR_CONST("eval"), .joins = true },
};

/* The command `docker exec`, behind the word exec. */
static const struct starter docker_exec = {
	.takes = "euw",
	.takes_long = "env env-file user workdir detach-keys",
	.operands = 1,
};

/* Holds the words of a starter while they are read. */
struct reading {
	struct shell_parser *p;
	int command;
	struct shell_words words; /* of the command */
	struct shell_stdin input;
};

static bool
is_one_of(char letter, const char *letters)
{
	return letters != NULL && letter != '\0' &&
	    strchr(letters, letter) != NULL;
}

/* Returns the words from index `from`, or none if there are fewer. */
static struct shell_words
from_word(struct shell_words words, size_t from)
{
	if (from >= words.n)
		return (struct shell_words){ 0 };
	return (struct shell_words){ words.list + from, words.n - from };
}

static bool
is_flag(const struct shell_word *w)
{
	return w->text.n > 1 && w->text.s[0] == '-';
}

/* Counts words or bytes that are read once more. Returns whether there were too many. */
static bool
is_too_much(struct shell_state *s, size_t n)
{
	bool more;

	s->copied += n;
	more = s->copied > SHELL_MOST + s->text.n;
	s->unknown |= more;
	return more;
}

/* Reads a command line that a word of the command gives. */
static void
start_text(const struct reading *r, struct str text, struct shell_words params)
{
	struct shell_parser outer = *r->p;
	bool computed = text.n > 0 && text.s[0] == SHELL_UNKNOWN &&
	    str_find_char(text, ' ') == text.n;

	r->p->state->list[r->command].starts = true;
	outer.in_function &= str_is(r->words.list[0].text, "eval");
	if (computed)
		r->p->state->unknown = true;
	else if (!is_too_much(r->p->state, text.n))
		shell_nested(&outer, text, params, r->input, r->command);
}

/* Lists the command that the words from index `from` are. */
static void
start_words(const struct reading *r, struct shell_words words)
{
	struct shell_parser inner = *r->p;
	struct shell_state *s = r->p->state;
	struct shell_function *functions = s->functions;
	size_t n = s->n_functions;

	if (words.n == 0)
		return;
	if (inner.depth++ >= SHELL_DEPTH) {
		s->unknown = true;
		return;
	}
	s->list[r->command].starts = true;
	inner.by = r->command;
	inner.from_program = !str_is(r->words.list[0].text, "command");
	s->functions = NULL; /* a program does not see them */
	s->n_functions = 0;
	shell_command(&inner, words, r->input, (struct str){ 0 });
	s->functions = functions;
	s->n_functions = n;
}

static struct str
joined(struct arena *a, struct shell_words words)
{
	struct str *list = arena_new_n(a, struct str, words.n + 1);

	for (size_t i = 0; i < words.n; i++)
		list[i] = words.list[i].text;
	return str_join(a, list, words.n, STR(" "));
}

/* Notes that a shell reads its commands from standard input. */
static void
start_input(const struct reading *r, struct shell_words params)
{
	struct shell_document *d = r->input.document;

	if (r->input.kind == INPUT_PIPE) {
		r->p->state->unknown = true;
	} else if (r->input.kind == INPUT_TEXT) {
		start_text(r, r->input.text, params);
	} else if (r->input.kind == INPUT_LATER) {
		d->is_read = true;
		d->params = params;
		d->by = r->command;
	}
}

/* Notes that a shell reads a file, which says more commands if the text itself writes the
 * file. Other files are not seen. */
static void
start_file(const struct reading *r, struct str path)
{
	struct shell_state *s = r->p->state;

	while (str_starts(path, "./"))
		path = str_from(path, 2);
	s->unknown |= str_starts(path, "/dev/fd/") || s->files.n >= SHELL_FILES;
	for (size_t i = 0; i < s->files.n; i++) {
		struct str file = s->files.list[i].text;

		while (str_starts(file, "./"))
			file = str_from(file, 2);
		s->unknown |= str_eq(file, path);
	}
}

/* ---- flags ---- */

/* A flag as it is read: the index behind it, its value, and what it means. */
struct flag {
	size_t next;
	struct str text; /* a command line, or absent */
	bool lacks;
};

/* Reads the flag --name or --name=value. */
static struct flag
read_long_flag(const struct starter *o, struct shell_words words, size_t i)
{
	struct str name = str_from(words.list[i].text, 2), value = name;
	struct flag f = { .next = i + 1 };

	name = str_cut(&value, '=');
	if (!str_is_one_of(name, o->takes_long) &&
	    !str_is_one_of(name, o->text))
		return f;
	if (value.s == NULL && f.next < words.n)
		value = words.list[f.next++].text;
	if (str_is_one_of(name, o->text))
		f.text = value;
	return f;
}

/* Reads a word with flags of one letter. */
static struct flag
read_flags(const struct starter *o, struct shell_words words, size_t i)
{
	struct str word = words.list[i].text;
	struct flag f = { .next = i + 1 };

	if (str_starts(word, "--"))
		return read_long_flag(o, words, i);
	for (size_t k = 1; k < word.n; k++) {
		bool is_text = o->text != NULL && o->text[0] == word.s[k];
		struct str value = str_from(word, k + 1);

		f.lacks |= is_one_of(word.s[k], o->lacks);
		if (!is_text && !is_one_of(word.s[k], o->takes))
			continue;
		if (value.n == 0 && f.next < words.n)
			value = words.list[f.next++].text;
		if (is_text)
			f.text = value;
		break;
	}
	return f;
}

static bool
is_assignment(const struct shell_word *w)
{
	size_t equals = str_find_char(w->text, '=');

	return equals > 0 && equals < w->text.n && !is_flag(w);
}

/* Skips a starter's flags, assignments and first operands, and starts the command
 * lines that the flags give. Returns the index of the command's program, or the
 * number of words. */
static size_t
skip_flags(const struct reading *r, const struct starter *o, size_t i)
{
	struct shell_words words = r->words;
	unsigned operands = o->operands;

	while (i < words.n) {
		const struct shell_word *w = &words.list[i];
		bool takes = operands < o->operands && o->text == NULL;

		if (str_is(w->text, "--")) {
			i += 1 + operands;
			return i < words.n ? i : words.n;
		}
		if (is_flag(w) && !takes) {
			struct flag f = read_flags(o, words, i);

			if (f.lacks)
				return words.n;
			if (f.text.s != NULL)
				start_text(r, f.text, from_word(words, f.next));
			i = f.text.s != NULL && !o->only_text ? words.n
							      : f.next;
		} else if (o->only_text || (o->assigns && is_assignment(w))) {
			i++;
		} else if (operands > 0) {
			operands--;
			i++;
		} else {
			return i;
		}
	}
	return words.n;
}

/* ---- programs ---- */

/* Returns a copy of the words in which each `mark` is unknown; without a mark, or
 * if none has the mark, an unknown word is appended. Returns none if too many words
 * were copied. */
static struct shell_words
filled(struct shell_state *s, struct shell_words words, struct str mark)
{
	static const char unknown[] = { SHELL_UNKNOWN };
	struct shell_words out = { 0 };
	struct arena *a = s->arena;
	bool has = false;

	if (is_too_much(s, words.n))
		return out;
	for (size_t i = 0; i < words.n; i++) {
		struct shell_word w = words.list[i];

		if (mark.n > 0 && str_contains(w.text, mark)) {
			has = true;
			w.text = str_replace(a, w.text, mark,
			    (struct str){ unknown, sizeof unknown });
		}
		shell_add_word(a, &out, w);
	}
	if (!has)
		shell_add_word(a, &out,
		    (struct shell_word){
			{ unknown, sizeof unknown }, .splits = true });
	return out;
}

/* Returns the mark that xargs replaces by its input, or an empty text. */
static struct str
xargs_mark(struct shell_words words, size_t end)
{
	struct str mark = STR("");

	for (size_t i = 1; i < end; i++) {
		struct str w = words.list[i].text;

		if (str_starts(w, "-I"))
			mark = w.n > 2 || i + 1 == end ? str_from(w, 2)
						       : words.list[i + 1].text;
		else if (str_starts(w, "-i") || str_starts(w, "--replace"))
			mark = STR("{}");
	}
	return mark;
}

/* Returns the number of words before the word. */
static size_t
words_before(struct shell_words words, size_t from, const char *word)
{
	while (from < words.n && !str_starts(words.list[from].text, word))
		from++;
	return from;
}

/* Starts the command lines of parallel: the words before ":::", or each word
 * behind it. */
static void
start_parallel(const struct reading *r, size_t i)
{
	struct arena *a = r->p->state->arena;
	size_t end = words_before(r->words, i, ":::");
	struct shell_words line = { r->words.list + i, end - i };

	if (end > i) {
		start_text(r, joined(a, filled(r->p->state, line, STR("{}"))),
		    (struct shell_words){ 0 });
		return;
	}
	for (i = end + 1; i < r->words.n; i++)
		start_text(r, r->words.list[i].text, (struct shell_words){ 0 });
}

/* Starts the commands of find's -exec and -ok. */
static void
start_find(const struct reading *r)
{
	struct shell_words words = r->words;

	for (size_t i = 1; i < words.n; i++) {
		size_t end = i + 1;

		if (!str_is_one_of(
			words.list[i].text, "-exec -execdir -ok -okdir"))
			continue;
		while (end < words.n && !str_is(words.list[end].text, ";") &&
		    !(str_is(words.list[end].text, "+") &&
			str_is(words.list[end - 1].text, "{}")))
			end++;
		if (end > i + 1)
			start_words(r,
			    filled(r->p->state,
				(struct shell_words){
				    words.list + i + 1, end - i - 1 },
				STR("{}")));
		i = end;
	}
}

/* Starts the command of `trap`, unless the trap is cleared. */
static void
start_trap(const struct reading *r)
{
	struct shell_words words = r->words;
	size_t i = words.n > 1 && str_is(words.list[1].text, "--") ? 2 : 1;

	if (i + 1 < words.n && !is_flag(&words.list[i]) &&
	    !str_is(words.list[i].text, "-"))
		start_text(r, words.list[i].text, r->p->params);
}

/* Starts what a shell runs: the text behind -c, or its standard input. */
static void
start_shell(const struct reading *r)
{
	struct shell_words words = r->words, operands;
	bool text = false, reads_input = false;
	size_t i = 1;

	for (; i < words.n; i++) {
		struct str w = words.list[i].text;

		if (str_is_one_of(w, "--rcfile --init-file -o +o -O +O")) {
			i++;
		} else if (str_is(w, "--") || str_is(w, "-")) {
			i++;
			break;
		} else if (w.n < 2 || (w.s[0] != '-' && w.s[0] != '+')) {
			break;
		} else if (!str_starts(w, "--")) {
			text |= str_find_char(w, 'c') < w.n;
			reads_input |= str_find_char(w, 's') < w.n;
			i += str_ends(w, "o");
		}
	}
	operands = from_word(words, i);
	if (text && operands.n > 0)
		start_text(r, operands.list[0].text, from_word(operands, 1));
	else if (reads_input || operands.n == 0)
		start_input(r,
		    (struct shell_words){
			words.list + i - 1, words.n - i + 1 });
	else
		start_file(r, operands.list[0].text);
}

/* Returns the words of the shell that watch gives its command line to. */
static struct shell_words
shell_of(struct arena *a, struct str text)
{
	const struct str list[] = { STR("sh"), STR("-c"), text };
	struct shell_words words = { 0 };

	for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
		shell_add_word(a, &words,
		    (struct shell_word){ .text = list[i], .quoted = true });
	return words;
}

/* Starts the command of a starter, from its index i on. */
static void
start(
    const struct reading *r, const struct starter *o, struct str name, size_t i)
{
	struct arena *a = r->p->state->arena;
	struct shell_words words;

	i = skip_flags(r, o, i);
	words = from_word(r->words, i);
	if (str_is(name, "parallel"))
		start_parallel(r, i);
	else if (str_is(name, "xargs") && words.n > 0)
		start_words(
		    r, filled(r->p->state, words, xargs_mark(r->words, i)));
	else if (str_is(name, "watch") && words.n > 0)
		start_words(r, shell_of(a, joined(a, words)));
	else if (o->joins && words.n > 0)
		start_text(r, joined(a, words),
		    str_is(name, "eval") ? r->p->params
					 : (struct shell_words){ 0 });
	else if (str_is(name, "ssh"))
		start_input(r, (struct shell_words){ 0 });
	else
		start_words(r, words);
}

/* Starts the command of `docker exec`. */
static void
start_docker(const struct reading *r, struct str name)
{
	static const struct starter global = {
		.takes = "Hlc",
		.takes_long = "config context host log-level tlscacert "
			      "tlscert tlskey",
	};
	size_t i = skip_flags(r, &global, 1);

	if (i < r->words.n && str_is(r->words.list[i].text, "exec"))
		start(r, &docker_exec, name, i + 1);
}

void
shell_starts(struct shell_parser *p, int command, struct shell_stdin input)
{
	const struct shell_command *c = &p->state->list[command];
	struct reading r = { p, command, { c->words, c->n }, input };
	struct str name = shell_program(c);

	if (p->from_program &&
	    str_is_one_of(name, "command exec eval trap . source"))
		return;
	if (str_is_one_of(name, "sh bash dash zsh ksh ash rbash"))
		start_shell(&r);
	else if (str_is(name, "find"))
		start_find(&r);
	else if (str_is(name, "trap"))
		start_trap(&r);
	else if (str_is_one_of(name, "docker podman"))
		start_docker(&r, name);
	else if (str_is_one_of(name, ". source") && c->n > 1)
		start_file(&r, c->words[1].text);
	else if (name.n < c->words[0].text.n)
		start_file(&r, c->words[0].text);
	for (size_t i = 0; i < sizeof starters / sizeof starters[0]; i++)
		if (str_eq(name, starters[i].name))
			start(&r, &starters[i], name, 1);
}

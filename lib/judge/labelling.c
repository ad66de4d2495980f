#include "judge/labelling.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "judge/label_screen.h"
#include "text/layout.h"
#include "text/table.h"

/* ---- the file ---- */

bool
labelling_open(struct labelling *l)
{
	struct place whole = { .file = l->path };
	struct stat st;

	l->labels.arena = l->sample.arena = &l->arena;
	l->sample.labels = &l->labels;
	/* A device, such as the null device, has no labels. */
	if (stat(l->path, &st) == 0 ? !S_ISREG(st.st_mode) : errno == ENOENT)
		return true;
	if (!labels_read(&l->labels, l->path))
		return false;
	if (str_trim(l->labels.text).n == 0 ||
	    str_starts(str_trim(l->labels.text), "{"))
		return true;
	diag_error(whole,
	    "labels are appended as one JSON object per line, and the file has "
	    "another form; name another file with --labels");
	return false;
}

void
labelling_add(struct labelling *l, const struct trace *t)
{
	sample_add(&l->sample, t);
}

static void
append(struct labelling *l, const struct label *check, bool pass, bool replaces)
{
	struct out *o = &l->file;

	out_begin(o, '{');
	out_member_str(o, "id", check->id);
	out_member_str(o, "label", check->label);
	out_member_str(o, "verdict", pass ? STR("pass") : STR("fail"));
	out_member_str(o, "at", check->at);
	if (check->turn.n != 0) {
		out_key(o, "turn");
		out_json_raw(o, check->turn);
	}
	out_member_str(o, "sample",
	    l->sample.uncertain ? STR("uncertain") : STR("random"));
	if (replaces)
		out_member_bool(o, "replaces", true);
	out_end(o, '}');
	o->comma = false;
	out_line(o);
	out_flush(o);
}

/* ---- the session ---- */

enum answer { ANSWER_NONE, ANSWER_PASS, ANSWER_FAIL, ANSWER_SKIP };

/* The keys by which a person answers. */
enum key {
	KEY_PASS = 'p',
	KEY_FAIL = 'f',
	KEY_SKIP = 's',
	KEY_BACK = 'b',
	KEY_MORE = 'm',
	KEY_QUIT = 'q',
};

static const struct {
	const char *word;
	enum key key;
} words[] = {
	{ "pass", KEY_PASS },
	{ "fail", KEY_FAIL },
	{ "skip", KEY_SKIP },
	{ "back", KEY_BACK },
	{ "more", KEY_MORE },
	{ "quit", KEY_QUIT },
};

enum { N_WORDS = sizeof words / sizeof words[0], LINE_MAX_BYTES = 256 };

struct session {
	struct labelling *l;
	const struct terminal *terminal;
	bool tty; /* answers are keys */
	struct label_screen screen;
	struct arena arena;               /* of the check on the screen */
	const struct sample_check **list; /* to ask about: n */
	enum answer *answers;
	size_t n, at;
	struct str last; /* about the sample or the last label */
	bool same;       /* the judge said the same as the person */
	bool whole;      /* show all, not only what fits */
};

static void
begin(struct session *s)
{
	const struct sample *draw = &s->l->sample;

	s->list =
	    arena_new_n(&s->l->arena, const struct sample_check *, draw->n);
	s->answers = arena_new_n(&s->l->arena, enum answer, draw->n);
	for (size_t i = 0; i < draw->n; i++) {
		const struct label *known = draw->list[i].known;

		if (known == NULL)
			s->list[s->n++] = &draw->list[i];
		else if (known->uncertain && !draw->uncertain)
			append(s->l, &draw->list[i].check, known->pass, false);
	}
}

/* ---- the screen ---- */

static void
put_title(struct session *s, const struct sample_check *c)
{
	const struct label *l = &c->check;
	struct arena *a = s->screen.arena;
	struct str title = str_printf(a, "%zu/%zu  %.*s  %.*s%s%.*s%s%.*s%s",
	    s->at + 1, s->n, STR_FMT(l->id), STR_FMT(l->label),
	    l->turn.n == 0 ? "" : "  turn ", STR_FMT(l->turn),
	    l->at.n == 0 ? "" : "  (", STR_FMT(l->at), l->at.n == 0 ? "" : ")");

	label_screen_tone(&s->screen, tone_begin(TONE_WARN),
	    layout_squeeze(
		a, layout_clean(a, title, false), s->screen.columns));
	out_line(s->screen.out);
}

/* Writes what is to say about the sample or the last label, in one line or two. */
static size_t
put_last(struct session *s)
{
	struct arena *a = s->screen.arena;
	size_t columns = s->screen.columns, n;
	struct layout shape = { 0, columns, SIZE_MAX, false };
	struct str text;
	struct out lines;

	if (s->last.s == NULL)
		return 0;
	text = layout_clean(a, s->last, false);
	out_open_memory(&lines);
	layout_wrap(&lines, text, &shape);
	if (str_count_char(out_memory(&lines), '\n') > 2) {
		out_clear(&lines);
		layout_wrap(&lines, layout_squeeze(a, text, columns), &shape);
	}
	n = str_count_char(out_memory(&lines), '\n');
	label_screen_tone(&s->screen,
	    tone_begin(s->same ? TONE_GOOD : TONE_BAD), out_memory(&lines));
	out_close(&lines);
	return n;
}

static void
put_help(const struct session *s)
{
	for (size_t i = 0; i < N_WORDS; i++) {
		struct str word = str_of(words[i].word);

		if (s->screen.columns < 48)
			word = str_slice(word, 0, 1);
		else if (s->tty)
			word = str_printf(s->screen.arena, "[%c]%.*s",
			    words[i].key, STR_FMT(str_from(word, 1)));
		out_str(s->screen.out, word);
		out_char(s->screen.out, ' ');
	}
	out_str(s->screen.out, s->tty ? STR("") : STR("? "));
	out_flush(s->screen.out);
}

/* Shows the check that is asked about. */
static void
show(struct session *s)
{
	enum { FIXED = 3 }; /* lines: title, a blank one, help */
	const struct sample_check *c = s->list[s->at];
	struct json_reader reader = { 0 };
	struct json_error error;
	struct trace t;
	size_t used, rows;

	arena_reset(&s->arena);
	terminal_size(
	    s->terminal->size_fd, &s->screen.columns, &s->screen.rows);
	rows = s->whole ? SIZE_MAX : s->screen.rows;
	if (s->screen.rows != SIZE_MAX)
		out_text(s->screen.out, "\x1b[H\x1b[2J");
	used = FIXED + put_last(s);
	put_title(s, c);
	s->screen.rows = rows == SIZE_MAX ? rows
	    : rows > used                 ? rows - used
					  : 1;
	if (trace_read(&t, json_read(&reader, c->record, NULL, &error)))
		label_screen_show(&s->screen, &t,
		    json_at(t.member[TRACE_CHECK_RESULTS], c->index));
	json_reader_free(&reader);
	out_line(s->screen.out);
	put_help(s);
}

/* Keeps what the judge said, to be shown after the label. */
static void
note_judge(struct session *s, const struct sample_check *c, bool pass)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *record = json_read(&reader, c->record, NULL, &error);
	const struct json *result =
	    json_at(json_get(record, "check_results"), c->index);
	struct str verdict =
	    json_text(json_path(result, "judge.verdict"), &s->l->arena);

	s->same = str_is(verdict, pass ? "pass" : "fail");
	s->last = str_printf(&s->l->arena,
	    "%.*s: you: %s; the judge: %.*s; %.*s", STR_FMT(c->check.label),
	    pass ? "pass" : "fail", STR_FMT(verdict),
	    STR_FMT(json_text(json_get(result, "reason"), &s->l->arena)));
	json_reader_free(&reader);
}

/* ---- answers ---- */

/* Returns the key that a line means; 0: none. */
static int
key_of_line(struct str line)
{
	line = str_trim(line);
	for (size_t i = 0; i < N_WORDS; i++)
		if (str_eq_ascii_nocase(line, str_of(words[i].word)) ||
		    str_eq_ascii_nocase(
			line, str_slice(str_of(words[i].word), 0, 1)))
			return (int)words[i].key;
	return 0;
}

/* Returns the next answer of a pipe: a key, or a constant of io/terminal.h. */
static int
next_line(const struct session *s)
{
	char line[LINE_MAX_BYTES];
	size_t n = 0;
	int c;

	while ((c = terminal_key(s->terminal)) >= 0 && c != '\n')
		if (n < sizeof line)
			line[n++] = (char)c;
	if (c < 0 && (n == 0 || c != TERMINAL_END))
		return c;
	return key_of_line((struct str){ line, n });
}

static int
next_key(const struct session *s)
{
	enum { END_OF_INPUT = 4 }; /* Control-D */
	int c;

	if (!s->tty)
		return next_line(s);
	c = terminal_key(s->terminal);
	if (c == END_OF_INPUT)
		return KEY_QUIT;
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static void
answer(struct session *s, bool pass)
{
	const struct sample_check *c = s->list[s->at];
	enum answer before = s->answers[s->at];

	append(s->l, &c->check, pass,
	    before == ANSWER_PASS || before == ANSWER_FAIL);
	s->answers[s->at++] = pass ? ANSWER_PASS : ANSWER_FAIL;
	note_judge(s, c, pass);
}

/* Does what the key says. Returns false if the session ends with the key. */
static bool
obey(struct session *s, int key)
{
	bool whole = s->whole;

	s->whole = false;
	switch (key) {
	case KEY_PASS:
	case KEY_FAIL:
		answer(s, key == KEY_PASS);
		break;
	case KEY_SKIP:
		if (s->answers[s->at] == ANSWER_NONE)
			s->answers[s->at] = ANSWER_SKIP;
		s->at++;
		s->last = (struct str){ 0 };
		break;
	case KEY_BACK:
		s->at -= s->at != 0;
		s->last = (struct str){ 0 };
		break;
	case KEY_MORE:
		s->whole = !whole;
		break;
	case KEY_QUIT:
	case TERMINAL_END:
		return false;
	default:
		s->whole = whole;
	}
	return true;
}

static bool
is_known(int key)
{
	if (key == TERMINAL_REDRAW)
		return true;
	for (size_t i = 0; i < N_WORDS; i++)
		if ((enum key)key == words[i].key)
			return true;
	return false;
}

/* Asks until nothing is left or the person quits. Returns false on an
 * interrupt. */
static bool
ask_all(struct session *s)
{
	int key = TERMINAL_REDRAW;

	while (s->at < s->n && s->l->file.error == 0 &&
	    s->screen.out->error == 0) {
		if (is_known(key))
			show(s);
		key = next_key(s);
		if (is_known(key) || key == TERMINAL_END)
			out_line(s->screen.out);
		else if (key >= 0 && !s->tty)
			put_help(s);
		if (key == TERMINAL_INTERRUPTED) {
			out_line(s->screen.out);
			diag_system_error("interrupted");
			return false;
		}
		if (!obey(s, key))
			break;
	}
	return true;
}

static void
sum_up(const struct session *s)
{
	size_t counts[ANSWER_SKIP + 1] = { 0 };
	struct out *o = s->screen.out;

	for (size_t i = 0; i < s->n; i++)
		counts[s->answers[i]]++;
	if (s->last.s != NULL)
		out_printf(o, "%.*s\n",
		    STR_FMT(layout_clean(s->screen.arena, s->last, false)));
	out_printf(o,
	    "labelled now: %zu (pass %zu, fail %zu); skipped: %zu; left: "
	    "%zu; in %s\n",
	    counts[ANSWER_PASS] + counts[ANSWER_FAIL], counts[ANSWER_PASS],
	    counts[ANSWER_FAIL], counts[ANSWER_SKIP],
	    counts[ANSWER_NONE] + counts[ANSWER_SKIP], s->l->path);
	if (s->tty && !s->l->sample.uncertain)
		out_printf(o, "compare: mcpl-judge --calibrate %s FILE...\n",
		    s->l->path);
}

/* Says what is asked about: with the first check at a terminal, which clears the
 * screen. */
static void
introduce(struct session *s)
{
	const struct sample *draw = &s->l->sample;
	struct str text = str_printf(&s->l->arena,
	    "checks with an answer: %zu; %s: %zu (seed %zu); with a label: "
	    "%zu; to label: %zu",
	    draw->answered,
	    draw->uncertain ? "the most doubtful" : "drawn at random", draw->n,
	    draw->seed, draw->n - s->n, s->n);

	s->same = true;
	if (s->tty && s->n != 0)
		s->last = text;
	else
		out_printf(s->screen.out, "%.*s\n", STR_FMT(text));
}

bool
labelling_ask(struct labelling *l, const struct terminal *terminal,
    struct out *screen, bool color)
{
	struct session s = {
		.l = l, .terminal = terminal, .tty = isatty(terminal->fd) == 1
	};
	bool good;

	s.screen = (struct label_screen){
		.out = screen, .arena = &s.arena, .color = color
	};
	sample_draw(&l->sample);
	if (l->sample.n == 0) {
		diag_system_error("no check has a judge's answer to label");
		return false;
	}
	out_open_end(&l->file, l->path);
	if (l->labels.text.n != 0 && !str_ends(l->labels.text, "\n"))
		out_line(&l->file);
	begin(&s);
	introduce(&s);
	good = ask_all(&s);
	sum_up(&s);
	arena_free(&s.arena);
	return out_close(&l->file) && good;
}

void
labelling_close(struct labelling *l)
{
	arena_free(&l->arena);
}

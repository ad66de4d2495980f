/* The state of reading a text, which the files of this folder share. */
#pragma once

#include "shell/shell.h"

/* A list of words that grows. */
struct shell_words {
	struct shell_word *list;
	size_t n;
};

/* A function of the text, whose body is read again for each call. */
struct shell_function {
	struct str name, body;
	bool certain; /* it is defined whenever the text goes on */
};

/* Holds the state that all texts within one text share: those of here-documents,
 * sh -c, eval and functions. */
struct shell_state {
	struct arena *arena;
	struct str text; /* the outermost */
	struct shell_command *list;
	size_t n;
	struct shell_function *functions;
	size_t n_functions;
	size_t read; /* bytes of texts that were read, a limit for functions */
	size_t
	    copied; /* words and bytes that programs start, each limited: programs
			* that start others hand on nearly all of them */
	unsigned retries; /* brackets that were no arithmetic: read twice */
	struct shell_words files; /* that redirections write */
	bool unknown, invalid, aliases, extglob;
	bool returned; /* a function that is being read may return */
	bool written;  /* of shell_read_written() */
};

enum shell_input {
	INPUT_NONE,
	INPUT_PIPE,
	INPUT_FILE,
	INPUT_TEXT,
	INPUT_LATER
};

/* Names the source of a command's standard input. */
struct shell_stdin {
	enum shell_input kind;
	struct str text;                 /* INPUT_TEXT */
	struct shell_document *document; /* INPUT_LATER: a here-document */
};

/* A here-document whose body is below the line. */
struct shell_document {
	struct str end; /* the line that ends the body */
	bool quoted, strips_tabs;
	unsigned dead; /* of the parser, where the document is named */
	int command;   /* whose standard input the body is, or SHELL_NONE */
	bool is_read;  /* by a shell, */
	struct shell_words params; /* with these parameters */
	int by;                    /* which is this command */
};

/* Says whether a list or command succeeds, fails or never ends, as far as the text
 * tells. */
enum shell_end { END_UNKNOWN, END_OK, END_FAIL, END_NEVER };

/* A text that is being read. */
struct shell_parser {
	struct shell_state *state;
	struct str text;
	size_t at;
	struct shell_words params; /* $0, $1, ... */
	bool params_unknown;
	struct shell_stdin input;
	int by;            /* the command that runs the text */
	unsigned dead;     /* more than 0: the text is read, but cannot run */
	unsigned branches; /* more than 0: the text may not run */
	unsigned depth;
	bool in_function, from_program; /* who runs the command */
	bool failed;     /* the grammar does not allow what stands at `at` */
	bool deep;       /* failed, since this folder follows no further */
	bool in_pattern; /* of case and [[: ( | ) are part of a word */
	struct shell_document **documents; /* whose bodies are still to come */
	size_t n_documents;
};

enum {
	SHELL_DEPTH = 100,       /* of texts, lists and substitutions */
	SHELL_MOST = 256 * 1024, /* bytes that functions add to a text */
	SHELL_COMMANDS = 20000,
	SHELL_RETRIES = 500,
	SHELL_FILES = 256, /* of which names are kept */
};

/* ---- tokens.c ---- */

/* Skips blanks, comments and continued lines; then also ends of lines, with the
 * here-documents below them. */
void shell_skip_blanks(struct shell_parser *);
void shell_skip_lines(struct shell_parser *);
/* Returns whether the word stands at the place, and ends there. */
bool shell_at_word(const struct shell_parser *, const char *word);
/* Skip the word or character if it stands at the place. */
bool shell_accept_word(struct shell_parser *, const char *word);
bool shell_accept(struct shell_parser *, char c);
/* Skips the word, which must stand at the place. */
void shell_expect_word(struct shell_parser *, const char *word);
/* Returns whether a list cannot go on at the place. */
bool shell_ends_list(const struct shell_parser *);

/* ---- list.c ---- */

/* Reads a list up to a word or operator that cannot continue the list. */
enum shell_end shell_list(struct shell_parser *);
/* Reads a text as a part of the parser's state, with the parameters $0, $1, ... */
enum shell_end shell_nested(const struct shell_parser *, struct str text,
    struct shell_words params, struct shell_stdin, int by);

/* ---- compound.c ---- */

/* Reads the command at the place, compound or simple. */
enum shell_end shell_command_at(struct shell_parser *);
/* Notes a function, whose body is at the place. The body is read now to find the end,
 * and again for each call. */
enum shell_end shell_function_body(struct shell_parser *, struct str name);

/* ---- simple.c ---- */

/* Reads a simple command, or the definition `name()`. */
enum shell_end shell_simple(struct shell_parser *);
/* Reads a redirection if one stands at the place, and notes in *input where the
 * standard input then comes from. */
bool shell_redirection(struct shell_parser *, struct shell_stdin *input);

/* ---- word.c ---- */

/* Reads the word at the place, and appends the words that it becomes, which may
 * be none. Returns false if there is no word. */
bool shell_word(struct shell_parser *, struct shell_words *);
/* Skips `(( ))`, `[[ ]]` or the like up to the end, and reads the commands in
 * the expansions. Returns false if the end is not there. */
bool shell_skip_until(struct shell_parser *, const char *end);

/* Returns the text of a here-document's body whose end is not quoted, and lists
 * the commands in its expansions. */
struct str shell_document_text(const struct shell_parser *, struct str body);

/* ---- here_document.c ---- */

/* Reads the bodies of the here-documents that begin on the line before. */
void shell_documents(struct shell_parser *);

/* ---- command.c ---- */

/* Lists a simple command and what it starts. The source is the command's part
 * of the text. Returns how it ends. */
enum shell_end shell_command(struct shell_parser *, struct shell_words,
    struct shell_stdin, struct str source);

/* ---- starts.c ---- */

/* Lists the commands that a listed command starts. */
void shell_starts(struct shell_parser *, int command, struct shell_stdin);

/* ---- small ---- */

/* Begins a part that a shell of its own runs. Returns the number of functions, which
 * shell_join takes: those that the part defines end with the part. */
static inline size_t
shell_fork(struct shell_parser *p)
{
	p->branches++;
	return p->state->n_functions;
}

static inline void
shell_join(struct shell_parser *p, size_t functions)
{
	p->branches--;
	p->state->n_functions = functions;
}

/* Returns the character `ahead` of the place, or NUL at the end of the text. */
static inline char
shell_peek(const struct shell_parser *p, size_t ahead)
{
	if (p->at + ahead < p->text.n)
		return p->text.s[p->at + ahead];
	return '\0';
}

static inline bool
shell_at_end(const struct shell_parser *p)
{
	return p->at >= p->text.n;
}

/* Notes that the grammar does not allow what stands at the place. */
static inline void
shell_fail(struct shell_parser *p)
{
	p->failed = true;
	p->at = p->text.n;
}

/* Notes that the text is nested more deeply than this folder follows. */
static inline void
shell_fail_deep(struct shell_parser *p)
{
	p->state->unknown = p->deep = true;
	shell_fail(p);
}

static inline void
shell_add_word(struct arena *a, struct shell_words *words, struct shell_word w)
{
	*arena_push(a, words->list, words->n) = w;
}

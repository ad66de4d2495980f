/* Each text of Starlark gives the values that it shows; "!" begins why the text is
 * refused, "?" follows what a statement that is not read leaves out. */
#include "starlark/starlark.h"

#include "io/out.h"
#include "tests/unit/unit.h"

static const char *const cases[][2] = {
	/* strings */
	{ "show('a\\tb\\x41\\101\\u00e9\\\"\\q', r'a\\n\\'b', '''c\n'd'e''')",
	    "\"a\\tbAA\xc3\xa9\\\"\\\\q\" \"a\\\\n'b\" \"c\\n'd'e\"" },
	{ "show(\"it's\", 'a\\\nb', '')", "\"it's\" \"ab\" \"\"" },
	{ "x = 'y'\nshow(f'a{x + \"z\"}{{{1}', fr'\\d{x}')",
	    "\"ayz{1\" \"\\\\dy\"" },
	{ "show('a' + 'bb', 'a-%s-b' % 3, '%s' % 'q')",
	    "\"abb\" \"a-3-b\" \"q\"" },
	{ "show('xay'[1:-1], 'ab'[5:], 'abc'[:2], len('\xc3\xa9'))",
	    "\"a\" \"\" \"ab\" 1" },
	{ "show('b' in 'abc', 'a' == 'a', not 'x', 'a' not in ['a'])",
	    "True True False False" },
	{ "show('a\\x4')",
	    "! 1:6: expected a string with the escapes of Starlark, "
	    "found 'a\\x4'" },
	{ "show('a",
	    "! 1:6: expected a quote that ends the string, found none" },
	{ "show('a' 'b')", "! 1:10: expected ), found 'b'" },
	{ "show(f'{1')", "! 1:10: expected }, found the end of the file" },
	{ "show(f'}')",
	    "! 1:6: expected a string with braces in pairs, found f'}'" },
	/* other values */
	{ "show(-3, (2), 1 == 1, 1 != 1, None, 2 in [1, 2])",
	    "-3 2 True False None True" },
	{ "show(1 if 0 else 2, None or 'x', [] and 1)", "2 \"x\" []" },
	{ "x = ['a'] + ['b', 'c',]\nshow(x, x[-1], x[:2], len(x), ('t',), ())",
	    "[\"a\", \"b\", \"c\"] \"c\" [\"a\", \"b\"] 3 (\"t\",) ()" },
	{ "x = [1]\ny = x\ny += [2]\nshow(x, y, 2 in y, x == 1)",
	    "[1, 2] [1, 2] True False" },
	{ "show([x + y for x in ['a', 'b'] if x != 'b' for y in ['c', 'd']])",
	    "[\"ac\", \"ad\"]" },
	{ "x = 1\ny = [[x for x in [x, 2]] for x in [3]]\nshow(x, y)",
	    "1 [[3, 2]]" },
	/* statements */
	{ "for i in [0, 1, 2]:\n  if i == 1:\n    continue\n  show(i)\nelse_ = "
	  "1\n",
	    "0;2" },
	{ "for i in [2, 5]: show(i); pass", "2;5" },
	{ "for a, b in [(1, 2), (3, 4)]:\n  if a == 3: break\n  show(b)", "2" },
	{ "x = 3\nif x == 1: show(1)\nelif x == 2: show(2)\nelif x == 3:\n\n  "
	  "# c\n"
	  "  show(3)\nelse: show(4)",
	    "3" },
	{ "def f(a: str, b='d') -> str:\n  def g(): return a\n  if b == 'd':\n"
	  "    return g() + b\nshow(f('x'), f(b='y', a='z'))",
	    "\"xd\" None" },
	{ "x = 1\ndef f(a=x): return a\nx = 2\nshow(f(), x)", "1 2" },
	{ "(a, b), c = [1, 2], 3\nshow(a, b, c)", "1 2 3" },
	{ "show(1); show(2)\nshow(\n 3,\n)\n\n\"\"\"doc\"\"\"\n", "1;2;3" },
	{ "if 1: \\\n  show(1)\r\nshow(2)\r\n", "1;2" },
	/* what is wrong before anything runs */
	{ "show(1)\nif False: show(nope)",
	    "! 2:16: expected a name that is defined, found nope" },
	{ "show(1)\nwhile True: pass",
	    "! 2:1: expected a word that Starlark does not reserve, found "
	    "while" },
	{ "return 1", "! 1:1: expected return in a def, found return outside" },
	{ "break",
	    "! 1:1: expected break and continue in a loop, found one outside" },
	{ "show(a=1, 2)",
	    "! 1:11: expected a named argument behind another, found one "
	    "without" },
	{ "show(a=1, a=2)",
	    "! 1:11: expected the argument a once, found it twice" },
	{ "if 1:\nshow(1)",
	    "! 2:1: expected a line that is indented, found show" },
	{ "if 1:\n   show(1)\n  show(2)",
	    "! 3:3: expected the indentation of a line above, found another" },
	{ "if 1:\n\tshow(1)",
	    "! 2:1: expected a name, a number, a string or a sign, found \t" },
	{ "x = 1 < 2 < 3", "! 1:11: expected the end of the line, found <" },
	{ "1 = 2",
	    "! 1:1: expected a name or an item to assign to, found another "
	    "expression" },
	{ "load('a', 'b')",
	    "! 1:1: expected no load, found one: there is nothing to load "
	    "from" },
	{ "show(print)",
	    "! 1:6: expected a name that is defined, found print" },
	{ "show([",
	    "! 1:7: expected an expression, found the end of the file" },
	/* arguments that do not fit */
	{ "def f(a): pass\nf()", "! 2:1: expected an argument a, found none" },
	{ "def f(a): pass\nf(1, 2)",
	    "! 2:6: expected a parameter of the function, "
	    "found one more argument" },
	{ "show(z=1)", "! 1:6: expected a parameter of the function, found z" },
	{ "def f(a): pass\nf(1, a=2)",
	    "! 2:6: expected the argument a once, found it twice" },
	/* what is not read, and what the rest is */
	{ "x = 1.5\ny = [x]\nshow(1)\nz = y + [2]\nshow(2)",
	    "?;1;2 1:5 a number that is not a short decimal" },
	{ "show('a'.upper(), 1)\nshow(2)", "?;2 1:6 a method" },
	{ "d = {'a': 1}\nfor k in d: show(k)\nshow(1)", "?;1 1:5 a dict" },
	{ "show((lambda x, *y: x)(1))\nshow(2)", "?;2 1:7 lambda" },
	{ "def f(*a): pass\nshow(1)", "?;1 1:8 a parameter with * or /" },
	{ "def f(): return [1.5]\nx = f()\nshow(x)\nshow(1)",
	    "?;1 1:18 a number that is not a short decimal" },
	{ "show(1)\nx()\nx = 1\nshow(x)",
	    "1;?;1 2:1 a name without a value, or a function of Starlark other "
	    "than len" },
	{ "for i in [1, 2]:\n  show(i)\n  show(zip([i], [i]))\n",
	    "1;?;2 3:8 a name without a value, or a function of Starlark other "
	    "than len" },
	{ "if zip([]):\n  x = 1\n  for y in []: pass\nshow(2, "
	  "x)\nshow(y)\nshow(3)",
	    "?;3 1:4 a name without a value, or a function of Starlark other "
	    "than len" },
	{ "l = ['a']\ny = l\nl.append('b')\nshow(y)\nshow(1)\nl = "
	  "['c']\nshow(l)",
	    "?;1;[\"c\"] 3:1 a method" },
	{ "l = [1]\nl[0] = 2\nshow(l)\nshow(3)",
	    "?;3 2:1 an assignment to an item, or of no list to several "
	    "names" },
	{ "def f(a):\n  def g(): return a\n  return g\nh = "
	  "f(5)\nf(6)\nshow(h())",
	    "5" },
	{ "show('a' + 1)\nshow(2)",
	    "?;2 1:6 an operator, with these operands" },
	{ "show([x for x in 'abc'])",
	    "? 1:9 a loop through something else than a "
	    "list" },
	{ "show([1][2])", "? 1:6 an index outside the list" },
	{ "x = 1\ndef f():\n  y = x\n  x = 2\n  return y\nshow(f())\nshow(x)",
	    "?;1 3:7 a name that depends on what is not read" },
	{ "def f(): len('a')\nshow(f())", "None" },
	{ "l = [1, 2]\nfor x in l: l += [x]\nshow(3)",
	    "?;3 2:13 a list that its loop changes" },
	{ "t = 'a'\nshow([s for s in [1] for t in [t]])",
	    "? 2:32 a name that depends on what is not read" },
	{ "t = ['a']\nshow([t for t in t])", "[\"a\"]" },
	{ "show([1][-2])", "? 1:6 an index outside the list" },
	{ "show(len(1))", "? 1:6 len() of no string or list" },
	{ "show([][1:], [1, 2][2:1], [1, 2][-9:1])", "[] [] [1]" },
	{ "def f(): return f()\nf()\nshow(1)",
	    "?;1 1:17 an expression that is nested too deeply" },
	{ "l = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]\nshow([0 for a in l for b in l "
	  "for c in l for d in l "
	  "for e in l for f in l for g in l])\nshow(1)",
	    "? 2:7 a file that needs so many steps" },
};

struct shown {
	struct str text, first; /* the first place and reason of unread ones */
};

static void
add(struct starlark *s, struct str text)
{
	struct shown *shown = s->arg;

	shown->text = shown->text.s == NULL
	    ? text
	    : str_printf(
		  s->arena, "%.*s;%.*s", STR_FMT(shown->text), STR_FMT(text));
}

static struct str
value_text(struct starlark *s, const struct starlark_value *v)
{
	static const char *const brackets[][2] = {
		[STARLARK_LIST] = { "[", "]" },
		[STARLARK_TUPLE] = { "(", ")" },
	};
	struct str text = STR("");

	if (v->type == STARLARK_STRING)
		return out_quote(s->arena, v->text);
	if (v->type == STARLARK_INT)
		return str_int(s->arena, v->number);
	if (v->type == STARLARK_BOOL)
		return v->number ? STR("True") : STR("False");
	if (v->type == STARLARK_NONE)
		return STR("None");
	for (size_t i = 0; i < v->list->n; i++)
		text = str_printf(s->arena, "%.*s%s%.*s", STR_FMT(text),
		    i == 0 ? "" : ", ",
		    STR_FMT(value_text(s, &v->list->items[i])));
	return str_printf(s->arena, "%s%.*s%s%s", brackets[v->type][0],
	    STR_FMT(text),
	    v->type == STARLARK_TUPLE && v->list->n == 1 ? "," : "",
	    brackets[v->type][1]);
}

static void
show(struct starlark *s, const struct starlark_value *args, struct place place)
{
	struct str text = { 0 };

	CHECK(place.line > 0);
	for (size_t i = 0; i < STARLARK_PARAMETERS; i++) {
		struct str one;

		if (args[i].type == STARLARK_ABSENT)
			continue;
		one = value_text(s, &args[i]);
		text = text.s == NULL ? one
				      : str_printf(s->arena, "%.*s %.*s",
					    STR_FMT(text), STR_FMT(one));
	}
	add(s, text);
}

static void
unread(struct starlark *s, struct place place, struct str why)
{
	struct shown *shown = s->arg;

	if (shown->first.s == NULL) {
		shown->first = str_printf(s->arena, " %zu:%zu %.*s", place.line,
		    place.column, STR_FMT(why));
		add(s, STR("?"));
	}
}

static void
check_case(const char *text, const char *want)
{
	static const struct starlark_function functions[] = {
		{ "show", "a b c d e f g h", 0, show },
		{ 0 },
	};
	struct arena a = { 0 };
	struct shown shown = { 0 };
	struct starlark s = { .arena = &a,
		.text = str_of(text),
		.functions = functions,
		.unread = unread,
		.arg = &shown };

	if (!starlark_run(&s))
		CHECK_STR(str_printf(&a, "! %zu:%zu: %.*s", s.wrong_at.line,
			      s.wrong_at.column, STR_FMT(s.wrong)),
		    want);
	else
		CHECK_STR(str_cat(&a, shown.text, shown.first), want);
	arena_free(&a);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_case(cases[i][0], cases[i][1]);
	return unit_status();
}

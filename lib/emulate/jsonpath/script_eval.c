/* Evaluates scripts on a node. */
#include <math.h>

#include "emulate/jsonpath/property.h"
#include "emulate/jsonpath/script.h"

struct evaluation {
	struct path_run *run;
	const struct path_node *node;
	const struct path_node
	    *in; /* the node that the script's bracket is applied to */
	struct value variables[SCRIPT_VARIABLES_MAX];
};

static struct value evaluate(struct evaluation *, const struct script *);

/* ---- the node ---- */

/* Returns the node's path as jsonpath-plus writes it: $['a'][0]. */
static struct str
path_of(struct path_run *run, const struct path_node *node)
{
	struct str path = STR("");

	for (; node->parent != NULL && jsonpath_spend(run, path.n + 1);
	     node = node->parent) {
		const struct json *key = jsonpath_key(run, node);
		struct str name = json_is(key, JSON_NUMBER)
		    ? key->text
		    : json_text(key, run->arena);
		bool digits = name.n > 0;

		for (size_t i = 0; i < name.n; i++)
			if ((name.s[i] < '0' || name.s[i] > '9') &&
			    name.s[i] != '*')
				digits = false;
		path = str_printf(run->arena,
		    digits ? "[%.*s]%.*s" : "['%.*s']%.*s", STR_FMT(name),
		    STR_FMT(path));
	}
	return str_cat(run->arena, STR("$"), path);
}

/* Returns the value of `@` or one of its variants. `@parent` is the container
 * of the list or object that the bracket is applied to, not that list or
 * object. */
static struct value
context(struct evaluation *e, enum script_context context)
{
	switch (context) {
	case CONTEXT_THIS:
		return script_value_json(e->run, e->node->value);
	case CONTEXT_PROPERTY:
		if (e->node->parent == NULL)
			return script_value_text(STR("$"));
		return script_value_json(e->run, jsonpath_key(e->run, e->node));
	case CONTEXT_PARENT:
		if (e->in->parent == NULL || e->in->nameless)
			return (struct value){ .type = VALUE_NULL };
		return script_value_json(e->run, e->in->parent->value);
	case CONTEXT_PARENT_PROPERTY:
		return script_value_json(e->run, jsonpath_key(e->run, e->in));
	case CONTEXT_PATH:
		return script_value_text(path_of(e->run, e->node));
	default:
		return script_value_json(e->run, e->run->root);
	}
}

/* ---- operators ---- */

static struct value
unary(struct evaluation *e, const struct script *s)
{
	struct value v = evaluate(e, s->args[0]);

	switch (s->op) {
	case OP_MINUS:
		return script_value_number(-script_value_to_number(e->run, &v));
	case OP_PLUS:
		return script_value_number(script_value_to_number(e->run, &v));
	case OP_BIT_NOT:
		return script_value_number(~script_value_to_int32(e->run, &v));
	case OP_TYPEOF:
		return script_value_text(str_of(script_value_typeof(&v)));
	default:
		return script_value_boolean(!script_value_is_true(&v));
	}
}

static struct value
plus(struct path_run *run, const struct value *a, const struct value *b)
{
	if (a->type == VALUE_TEXT || a->type >= VALUE_JSON ||
	    b->type == VALUE_TEXT || b->type >= VALUE_JSON) {
		struct str x = script_value_to_text(run, a);
		struct str y = script_value_to_text(run, b);

		jsonpath_spend(run, (x.n + y.n) / 16);
		return script_value_text(str_cat(run->arena, x, y));
	}
	return script_value_number(
	    script_value_to_number(run, a) + script_value_to_number(run, b));
}

static struct value
arithmetic(enum script_operator op, double a, double b)
{
	switch (op) {
	case OP_SUBTRACT:
		return script_value_number(a - b);
	case OP_MULTIPLY:
		return script_value_number(a * b);
	case OP_DIVIDE:
		return script_value_number(a / b);
	default:
		return script_value_number(fmod(a, b));
	}
}

static struct value
bitwise(enum script_operator op, int32_t a, int32_t b)
{
	uint32_t x = (uint32_t)a, y = (uint32_t)b, by = y & 31;

	switch (op) {
	case OP_BIT_OR:
		return script_value_number((int32_t)(x | y));
	case OP_BIT_XOR:
		return script_value_number((int32_t)(x ^ y));
	case OP_BIT_AND:
		return script_value_number((int32_t)(x & y));
	case OP_SHIFT_LEFT:
		return script_value_number((int32_t)(x << by));
	case OP_SHIFT_RIGHT:
		return script_value_number(a >> by);
	default:
		return script_value_number(x >> by);
	}
}

static struct value
calculate(struct path_run *run, enum script_operator op, const struct value *a,
    const struct value *b)
{
	switch (op) {
	case OP_EQUAL:
		return script_value_boolean(script_value_equal(run, a, b));
	case OP_UNEQUAL:
		return script_value_boolean(!script_value_equal(run, a, b));
	case OP_SAME:
		return script_value_boolean(script_value_same(a, b));
	case OP_NOT_SAME:
		return script_value_boolean(!script_value_same(a, b));
	case OP_LESS:
		return script_value_boolean(
		    script_value_less(run, a, b, false));
	case OP_LESS_EQUAL:
		return script_value_boolean(script_value_less(run, a, b, true));
	case OP_GREATER:
		return script_value_boolean(
		    script_value_less(run, b, a, false));
	case OP_GREATER_EQUAL:
		return script_value_boolean(script_value_less(run, b, a, true));
	case OP_ADD:
		return plus(run, a, b);
	case OP_SUBTRACT:
	case OP_MULTIPLY:
	case OP_DIVIDE:
	case OP_REMAINDER:
		return arithmetic(op, script_value_to_number(run, a),
		    script_value_to_number(run, b));
	default:
		return bitwise(op, script_value_to_int32(run, a),
		    script_value_to_int32(run, b));
	}
}

static struct value
binary(struct evaluation *e, const struct script *s)
{
	struct value a = evaluate(e, s->args[0]), b;

	if ((s->op == OP_OR || s->op == OP_AND) &&
	    script_value_is_true(&a) == (s->op == OP_OR))
		return a;
	b = evaluate(e, s->args[1]);
	if (s->op == OP_OR || s->op == OP_AND)
		return b;
	return calculate(e->run, s->op, &a, &b);
}

/* ---- the rest ---- */

static struct value *
evaluate_all(struct evaluation *e, const struct script *s)
{
	struct value *values = arena_new_n(e->run->arena, struct value, s->n);

	for (size_t i = 0; i < s->n; i++)
		values[i] = evaluate(e, s->args[i]);
	return values;
}

static struct value
computed(struct evaluation *e, const struct script *s)
{
	struct value of = evaluate(e, s->args[0]);
	struct value name = evaluate(e, s->args[1]);

	return script_value_member(
	    e->run, &of, script_value_to_text(e->run, &name));
}

static struct value
evaluate(struct evaluation *e, const struct script *s)
{
	struct value v = script_value_undefined(), *values;

	if (!jsonpath_spend(e->run, 1))
		return v;
	switch (s->kind) {
	case SCRIPT_VALUE:
		return s->value;
	case SCRIPT_LIST:
		v = (struct value){ .type = VALUE_LIST, .n = s->n };
		v.items = evaluate_all(e, s);
		return v;
	case SCRIPT_CONTEXT:
		return context(e, s->context);
	case SCRIPT_VARIABLE:
		return e->variables[s->variable];
	case SCRIPT_ASSIGN:
		v = evaluate(e, s->args[0]);
		e->variables[s->variable] = v;
		return v;
	case SCRIPT_UNARY:
		return unary(e, s);
	case SCRIPT_BINARY:
		return binary(e, s);
	case SCRIPT_CONDITION:
		v = evaluate(e, s->args[0]);
		return evaluate(e, s->args[script_value_is_true(&v) ? 1 : 2]);
	case SCRIPT_MEMBER:
		v = evaluate(e, s->args[0]);
		return script_value_member(e->run, &v, s->name);
	case SCRIPT_COMPUTED:
		return computed(e, s);
	case SCRIPT_CALL:
		values = evaluate_all(e, s);
		return s->method->call(
		    e->run, &values[0], values + 1, s->n - 1);
	default:
		for (size_t i = 0; i < s->n; i++)
			v = evaluate(e, s->args[i]);
		return v;
	}
}

bool
jsonpath_script_test(
    struct path_run *run, const struct script *s, const struct path_node *node)
{
	struct evaluation e = { run, node, node->parent, { { 0 } } };
	struct value v = evaluate(&e, s);

	return !run->cut && script_value_is_true(&v);
}

struct value
jsonpath_script_value(
    struct path_run *run, const struct script *s, const struct path_node *node)
{
	struct evaluation e = { run, node, node, { { 0 } } };

	return evaluate(&e, s);
}

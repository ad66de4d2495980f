#include "extract/draft/words.h"

enum {
	S = 1 << JSON_STRING,
	N = 1 << JSON_NUMBER,
	B = 1 << JSON_TRUE | 1 << JSON_FALSE,
	O = 1 << JSON_OBJECT,
	A = 1 << JSON_ARRAY,
	ANY = S | N | B | O | A,
	NAME = 1 << 16,       /* strings without blanks */
	NAME_WORDS_MOST = 32, /* letters of a name that is compared */
	HERE = 1 << 17,       /* not within objects */
	DEEP = 2, /* objects within which other members are searched */
};

/* Names in lower case and without _ and -, the likeliest first; those behind
 * the bar are weak. */
static const struct {
	const char *words;
	unsigned types;
} roles[DRAFT_ROLES] = {
	[DRAFT_KIND] = { "role type kind from event eventtype steptype sender "
			 "speaker author | category source actor what op",
	    S | NAME },
	[DRAFT_TOOL] = { "toolname tool functionname function fn func "
			 "tool.name function.name functioncall.name "
			 "toolcall.name tooluse.name call.name | "
			 "name action do command method operation op skill",
	    S | NAME },
	[DRAFT_ARGS] = { "arguments args toolinput toolargs toolarguments "
			 "parameters params kwargs input inputs actioninput | "
			 "in with request payload data",
	    S | O | A },
	[DRAFT_RESULT] = { "result results output outputs tooloutput "
			   "toolresult "
			   "response observation returned returns | return ret "
			   "got out outcome value",
	    ANY | HERE },
	[DRAFT_CALL_ID] = { "callid toolcallid tooluseid id | uuid",
	    S | N | HERE },
	[DRAFT_RESULT_ID] = { "toolcallid callid tooluseid | for replyto "
			      "parentid id",
	    S | N | HERE },
	[DRAFT_SERVER] = { "server servername mcpserver", S | NAME | HERE },
	[DRAFT_FAILED] = { "iserror failed error failure | exitcode err",
	    ANY | HERE },
	[DRAFT_OK] = { "ok success succeeded successful", B | HERE },
	[DRAFT_STATUS] = { "status state outcome", S | NAME | HERE },
	[DRAFT_MS] = { "durationms elapsedms latencyms tookms ms millis",
	    N | HERE },
	[DRAFT_SECONDS] = { "durations seconds elapsedseconds secs | duration "
			    "elapsed took",
	    N | S | HERE },
	[DRAFT_TIME] = { "timestamp ts time at createdat datetime | date when",
	    S | N | HERE },
	[DRAFT_TEXT] = { "text content contents body message msg utterance "
			 "parts | say "
			 "says value input output prompt question answer",
	    S | A },
	[DRAFT_THOUGHT] = { "thought text content say says message reply "
			    "reasoning assistant llmresponsecontent "
			    "responsecontent | body answer",
	    S | A },
	[DRAFT_PROMPT] = { "prompt question userinput usermessage user query "
			   "instruction human | input request task goal ask",
	    S | A },
	[DRAFT_FINAL] = { "finalanswer answer finaltext finaloutput "
			  "finalresponse finalresult final "
			  "reply | response output completion "
			  "conclusion summary",
	    S | A },
	[DRAFT_SESSION] = { "sessionid session conversationid threadid runid "
			    "run traceid chatid | conversation thread chat "
			    "trace episode id",
	    S | N },
	[DRAFT_SCENARIO] = { "scenarioid scenario caseid case testcase taskid",
	    S | N | HERE },
	[DRAFT_INDEX] = { "runindex attempt try trial repetition",
	    S | N | HERE },
	[DRAFT_AGENT] = { "agentname agent agent.name botname bot bot.name",
	    S },
	[DRAFT_MODEL] = { "model modelname modelid llm model.name", S | NAME },
	[DRAFT_START] = { "startedat starttime began started tsstart | start",
	    S | N | HERE },
	[DRAFT_END] = { "endedat endtime finishedat completedat ended tsend "
			"| end",
	    S | N | HERE },
	[DRAFT_INPUT_TOKENS] = { "inputtokens prompttokens tokensin "
				 "tokens.in tokens.input usage.in usage.input",
	    N | S },
	[DRAFT_OUTPUT_TOKENS] = { "outputtokens completiontokens tokensout "
				  "tokens.out tokens.output usage.out "
				  "usage.output",
	    N | S },
};

/* Returns the name in lower case without blanks and punctuation. */
static struct str
bare(char to[NAME_WORDS_MOST], struct str name)
{
	size_t n = 0;

	for (size_t i = 0; i < name.n; i++) {
		char c = name.s[i];

		if (str_find_char(STR("_- ./:$"), c) < 7)
			continue;
		if (n == NAME_WORDS_MOST)
			return STR("");
		to[n++] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
	}
	return (struct str){ to, n };
}

/* Returns the place of the member's name among the words, counted from 1, or 0;
 * *sure says whether it is before the bar. A word `a.b` is the name of a member
 * and that of its parent. */
static int
rank(const char *words, const struct shape *m, enum draft_sure *sure)
{
	struct str rest = str_of(words);
	char own_room[NAME_WORDS_MOST], of_room[NAME_WORDS_MOST];
	struct str own = bare(own_room, m->name);
	struct str of = bare(of_room, m->parent->name);

	*sure = DRAFT_STRONG;
	for (int i = 1; rest.n != 0; i++) {
		struct str word = str_cut(&rest, ' ');
		struct str last = word, first;

		if (str_is(word, "|")) {
			*sure = DRAFT_WEAK;
			continue;
		}
		first = str_cut(&last, '.');
		if (last.s == NULL ? str_eq(own, word)
				   : str_eq(own, last) && str_eq(of, first))
			return i;
	}
	return 0;
}

static bool
suits(const struct shape *m, unsigned types)
{
	bool any = false;

	for (int i = JSON_FALSE; i < SHAPE_TYPES; i++)
		if (types & 1U << i && m->types[i] != 0)
			any = true;
	return any && (!(types & NAME) || m->spaced == 0);
}

/* Searches the members of the shape, and within `deeper` levels of objects; a weak
 * name counts less the deeper the member is. */
static void
search(struct shape *of, enum draft_role role, int deeper, int penalty,
    struct draft_found *best)
{
	for (struct shape *m = of->first; m != NULL; m = m->next) {
		enum draft_sure sure;
		int at = rank(roles[role].words, m, &sure);

		if (at != 0 && !m->used && suits(m, roles[role].types)) {
			at += sure == DRAFT_WEAK ? penalty : 0;
			if (best->at == NULL || at < best->rank)
				*best = (struct draft_found){ m, sure, at };
		}
		/* A member that has a role is not searched further. */
		if (deeper > 0 && m->items == NULL && !m->used &&
		    !(roles[role].types & HERE))
			search(m, role, deeper - 1, penalty + 100, best);
	}
}

struct draft_found
draft_find(struct shape *of, enum draft_role role)
{
	struct draft_found best = { 0 };

	search(of, role, DEEP, 0, &best);
	return best;
}

struct draft_found
draft_find_here(struct shape *of, enum draft_role role)
{
	struct draft_found best = { 0 };

	search(of, role, 0, 0, &best);
	return best;
}

/* ---- kinds ---- */

static bool
is_among(struct str word, const char *words)
{
	char room[NAME_WORDS_MOST];

	return str_is_one_of(bare(room, word), words);
}

enum draft_class
draft_class_of(struct str kind)
{
	static const char *const words[] = {
		[DRAFT_IS_PROMPT] = "user human prompt question usermessage "
				    "userprompt "
				    "customer userinput usersaid input asked",
		[DRAFT_IS_TEXT] =
		    "assistant ai gpt model agent bot say said text "
		    "message answer thought reply assistantmessage "
		    "agentmessage final response completion",
		[DRAFT_IS_CALL] =
		    "toolcall call functioncall tooluse action invoke "
		    "toolstart request act calltool tooluses toolcalls "
		    "functioncalls toolexecutionstart toolstarted",
		[DRAFT_IS_RESULT] =
		    "toolresult toolresults result results observation "
		    "observations functionresponse functionresult "
		    "functionresults outputs "
		    "toolresponses tooloutputs responses toolexecutioncomplete "
		    "toolexecutionend toolcompleted toolfinished "
		    "toolresponse toolend functioncalloutput "
		    "toolreply returned tooloutput output return",
		[DRAFT_IS_TOOL] = "tool function",
	};

	char room[NAME_WORDS_MOST];

	for (int i = 0; i < DRAFT_IS_UNKNOWN; i++)
		if (is_among(kind, words[i]))
			return (enum draft_class)i;
	kind = bare(room, kind);
	if (str_ends(kind, "tooluse") || str_ends(kind, "toolcall"))
		return DRAFT_IS_CALL;
	return str_ends(kind, "toolresult") ? DRAFT_IS_RESULT
					    : DRAFT_IS_UNKNOWN;
}

bool
draft_is_nobody(struct str kind)
{
	return is_among(kind,
	    "system developer error info warning debug log meta summary "
	    "thinking reasoning status");
}

bool
draft_is_expected(struct str name)
{
	static const char *const words[] = { "expect", "criteria", "reference",
		"gold", "groundtruth" };
	char room[NAME_WORDS_MOST];

	name = bare(room, name);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_contains(name, words[i]))
			return true;
	return false;
}

bool
draft_is_ok(struct str word)
{
	return is_among(
	    word, "ok success succeeded done completed passed fine");
}

#include "extract/format/databases.h"

extern const unsigned char amazon_q_sql[], crewai_sql[], crush_sql[],
    cursor_sql[], goose_sql[], hermes_sql[], kiro_sql[], opencode_sql[],
    zed_sql[];
extern const size_t amazon_q_sql_size, crewai_sql_size, crush_sql_size,
    cursor_sql_size, goose_sql_size, hermes_sql_size, kiro_sql_size,
    opencode_sql_size, zed_sql_size;

const struct database_query log_databases[] = {
	{ "opencode.db", "opencode export SESSION",
	    "session.directory message.session_id message.data part.message_id "
	    "part.data",
	    opencode_sql, &opencode_sql_size,
	    "SELECT json_object('sessions', count(*), 'since', "
	    "min(time_created), "
	    "'until', max(time_updated)) FROM session "
	    "WHERE [session.parent_id] IS NULL AND id IN "
	    "(SELECT session_id FROM message)" },
	{ "sessions.db", "goose session export --format json",
	    "sessions.working_dir messages.session_id messages.content_json",
	    goose_sql, &goose_sql_size,
	    "SELECT json_object('sessions', count(DISTINCT session_id), "
	    "'since', min(created_timestamp), 'until', "
	    "max(created_timestamp)) FROM messages WHERE session_id IN "
	    "(SELECT id FROM sessions)" },
	{ "crush.db", NULL,
	    "sessions.parent_session_id sessions.prompt_tokens "
	    "messages.session_id messages.parts",
	    crush_sql, &crush_sql_size,
	    "SELECT json_object('sessions', count(*), 'since', "
	    "min(created_at), "
	    "'until', max(updated_at)) FROM sessions "
	    "WHERE parent_session_id IS NULL AND id IN "
	    "(SELECT session_id FROM messages)" },
	{ "state.db", "hermes sessions export FILE.jsonl",
	    "sessions.end_reason messages.tool_call_id messages.tool_calls",
	    hermes_sql, &hermes_sql_size,
	    "SELECT json_object('sessions', count(DISTINCT session_id), "
	    "'since', min(timestamp), 'until', max(timestamp)) "
	    "FROM messages WHERE session_id IN (SELECT id FROM sessions)" },
	{ "data.sqlite3", "/save FILE, in the program's chat",
	    "conversations_v2.conversation_id conversations_v2.value", kiro_sql,
	    &kiro_sql_size,
	    "SELECT json_object('sessions', count(*), "
	    "'since', min([conversations_v2.created_at]), 'until', "
	    "max([conversations_v2.updated_at])) FROM conversations_v2" },
	{ "data.sqlite3", NULL,
	    "conversations.key conversations.value history.command",
	    amazon_q_sql, &amazon_q_sql_size,
	    "SELECT json_object('sessions', count(*)) FROM conversations" },
	{ "threads.db", NULL, "threads.summary threads.data_type threads.data",
	    zed_sql, &zed_sql_size,
	    "SELECT json_object('sessions', count(*), 'since', "
	    "min(coalesce([threads.created_at], updated_at)), 'until', "
	    "max(updated_at)) FROM threads WHERE [threads.parent_id] IS NULL" },
	{ "state.vscdb", NULL, "cursorDiskKV.key cursorDiskKV.value",
	    cursor_sql, &cursor_sql_size,
	    "SELECT json_object('sessions', count(*), "
	    "'since', min(json_extract(value, '$.createdAt')), 'until', "
	    "max(coalesce(json_extract(value, '$.lastUpdatedAt'), "
	    "json_extract(value, '$.createdAt')))) FROM "
	    "(SELECT CAST(value AS TEXT) AS value FROM cursorDiskKV "
	    "WHERE key GLOB 'composerData:*') WHERE iif(json_valid(value), "
	    "json_array_length(value, '$.fullConversationHeadersOnly') > 0 "
	    "OR json_array_length(value, '$.conversation') > 0, 0)" },
	{ "latest_kickoff_task_outputs.db", NULL,
	    "latest_kickoff_task_outputs.output "
	    "latest_kickoff_task_outputs.task_index",
	    crewai_sql, &crewai_sql_size, NULL },
	{ NULL, NULL, NULL, NULL, NULL, NULL },
};

-- Sessions of Hermes, as hermes sessions export writes them. A content that is a list
-- or an object begins with a zero byte and "json:". What was undone is left out, and the
-- copies that a compaction makes.
SELECT json_object(
 'id', id, 'source', source, 'model', model,
 'system_prompt', coalesce([sessions.system_prompt],
  [system_prompts.hash|(SELECT prompt FROM system_prompts WHERE hash = system_prompt_hash)]),
 'parent_session_id', parent_session_id,
 'started_at', started_at, 'ended_at', ended_at, 'end_reason', end_reason,
 'title', [sessions.title], 'cwd', [sessions.cwd],
 'billing_provider', [sessions.billing_provider],
 'input_tokens', input_tokens, 'output_tokens', output_tokens,
 'cache_read_tokens', [sessions.cache_read_tokens],
 'cache_write_tokens', [sessions.cache_write_tokens],
 'estimated_cost_usd', [sessions.estimated_cost_usd],
 'actual_cost_usd', [sessions.actual_cost_usd],
 'messages', json((
  SELECT json_group_array(json_object(
   'role', role,
   'content', CASE WHEN substr(CAST(content AS BLOB), 1, 6) = x'006A736F6E3A'
    THEN json(CAST(substr(CAST(content AS BLOB), 7) AS TEXT)) ELSE content END,
   'tool_call_id', tool_call_id,
   'tool_calls', iif(json_valid(tool_calls), json(tool_calls), tool_calls),
   'tool_name', tool_name, 'timestamp', timestamp,
   'finish_reason', [messages.finish_reason],
   '_compressed_summary', [messages._compressed_summary],
   'display_kind', [messages.display_kind]))
  FROM (
   SELECT *, min(id) FROM messages WHERE session_id = sessions.id
   AND (coalesce([messages.active], 1) = 1
    OR ([messages.compacted] = 1 AND [messages.display_identity] IS NOT NULL))
   GROUP BY coalesce([messages.display_identity], id) ORDER BY id) AS messages)))
FROM sessions
WHERE EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id)
ORDER BY started_at, id

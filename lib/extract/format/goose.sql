-- Sessions of Goose, as goose session export writes them.
SELECT json_object(
 'id', id, 'working_dir', working_dir,
 'name', coalesce(nullif([sessions.name], ''), [sessions.description]),
 'provider_name', [sessions.provider_name],
 'model_config',
 [sessions.model_config_json|iif(json_valid(model_config_json), json(model_config_json), NULL)],
 'accumulated_input_tokens', [sessions.accumulated_input_tokens],
 'accumulated_output_tokens', [sessions.accumulated_output_tokens],
 'accumulated_cost_usd', [sessions.accumulated_cost],
 'conversation', json((
  SELECT json_group_array(json_object(
   'id', [messages.message_id], 'role', role, 'created', created_timestamp,
   'content', iif(json_valid(content_json), json(content_json), content_json),
   'metadata',
   [messages.metadata_json|iif(json_valid(metadata_json), json(metadata_json), NULL)]))
  FROM (SELECT * FROM messages WHERE session_id = sessions.id ORDER BY id) AS messages)))
FROM sessions
WHERE EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id) ORDER BY id

SELECT json_object('id', s.id, 'working_dir', s.working_dir, 'name', s.name,
 'accumulated_input_tokens', s.accumulated_input_tokens,
 'accumulated_output_tokens', s.accumulated_output_tokens,
 'conversation', json((SELECT json_group_array(json_object('role', role,
   'created', created_timestamp, 'content', json(content_json),
   'metadata', json(coalesce(metadata_json, '{}'))))
  FROM (SELECT * FROM messages WHERE session_id = s.id ORDER BY id))))
FROM sessions AS s WHERE EXISTS
 (SELECT 1 FROM messages WHERE session_id = s.id) ORDER BY s.id;

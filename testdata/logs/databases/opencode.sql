SELECT json_object(
 'info', json_set(m.data, '$.id', m.id, '$.sessionID', m.session_id),
 'parts', json((SELECT json_group_array(json_set(data, '$.id', id,
   '$.messageID', message_id, '$.sessionID', session_id))
  FROM (SELECT * FROM part WHERE message_id = m.id ORDER BY id))))
FROM message AS m ORDER BY m.session_id, m.time_created, m.id;

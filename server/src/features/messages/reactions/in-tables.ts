/** The reactions to a message in their tables, as lists show them. Of people outside, only the number. */
export const reactionsInTables = (messageId: string) => `coalesce((
    SELECT jsonb_agg(jsonb_build_object('emoji', grouped.emoji, 'userIds', grouped.user_ids)
        || CASE WHEN grouped.externals = 0 THEN '{}'
          ELSE jsonb_build_object('externals', grouped.externals) END
      ORDER BY grouped.first, grouped.emoji)
    FROM (SELECT r.emoji, min(r.position) AS first, count(*) - count(r.user_id) AS externals,
        coalesce(jsonb_agg(r.user_id ORDER BY r.position) FILTER (WHERE r.user_id IS NOT NULL), '[]')
          AS user_ids
      FROM (SELECT ours.emoji, ours.user_id, ours.position FROM reactions ours
          WHERE ours.org_id = $1 AND ours.message_id = ${messageId}
        UNION ALL SELECT theirs.emoji, theirs.user_id, NULL FROM external_reactions theirs
          WHERE theirs.org_id = $1 AND theirs.message_id = ${messageId}
            AND NOT EXISTS (SELECT 1 FROM reactions same WHERE same.org_id = $1
              AND same.message_id = ${messageId} AND same.emoji = theirs.emoji
              AND same.user_id = theirs.user_id)) r
      GROUP BY r.emoji) grouped
  ), '[]')`;

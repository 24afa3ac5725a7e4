import { defined } from '#kit/domain/defined.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import type { Audience } from '../contract/audience.ts'
import type { MessageChannel } from '../contract/choices.ts'
import { audienceQuery } from './audience.ts'
import { contentSql, segmentsSql, smsSignName } from './message-text.ts'
import { reachQuery } from './reach.ts'

export interface MessageQuote {
  readonly segments: number
  readonly samples: readonly {
    readonly receiverName?: string
    readonly content: string
    readonly segments: number
  }[]
}

/** What a text to everybody whom a channel reaches would cost, with the first of the messages. */
export async function quoteMessages(
  db: Db,
  scope: Scope,
  about: {
    readonly channel: MessageChannel
    readonly to: Audience
    readonly text: string
    readonly samples: number
  },
): Promise<MessageQuote> {
  const chosen = audienceQuery(scope, about.to)
  const row = await db.one<MessageQuote>(sql`
    with reached as materialized (${reachQuery(scope.ownerId, about.channel, 'service', chosen)}),
    worded as (
      select c.receiver_kind, c.receiver_id, c.name as receiver_name,
        ${contentSql(sql`${about.text}::text`)} as content
      from reached c
      left join estate e on e.owner_id = ${scope.ownerId}
        and e.project_code = c.project_code
        and e.delete_tag = 0
      where c.reason is null
    ),
    counted as (select w.*, ${segmentsSql(sql`w.content`, smsSignName())} as segments from worded w)
    select coalesce((select sum(segments) from counted), 0)::integer as segments,
      coalesce(
        (
          select json_agg(
            json_build_object('receiverName', s.receiver_name, 'content', s.content, 'segments', s.segments)
          )
          from (
            select * from counted order by receiver_kind, receiver_id limit ${about.samples}
          ) s
        ),
        '[]'::json
      ) as samples
  `)
  return defined(row)
}

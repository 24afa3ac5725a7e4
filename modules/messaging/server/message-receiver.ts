import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'

export interface MessageReceiver {
  readonly name?: string
  readonly room?: string
  readonly project?: string
}

/** Whom a message is for, by name, as it was queued: what a template of a channel is filled in with. */
export async function findReceiver(
  db: Pick<Db, 'one'>,
  { ownerId, id }: { readonly ownerId: Id; readonly id: Id },
): Promise<MessageReceiver> {
  const receiver = await db.one<MessageReceiver>(sql`
    select m.receiver_name as name, m.room_name as room, e.name as project
    from outgoing_message m
    left join estate e on e.owner_id = ${ownerId} and e.project_code = m.project_code and ${notDeleted('e')}
    where m.owner_id = ${ownerId} and m.id = ${id}
  `)
  return receiver ?? {}
}

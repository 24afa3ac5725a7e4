import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'

/** `openId`: the bound WeChat, and since when. */
export interface ResidentContact {
  readonly id: Id
  readonly name: string
  readonly mobile?: string
  readonly email?: string
  readonly openId?: string
  readonly openSince?: string
}

/** Names and telephones of residents by id, whatever became of them: whom a bill asked stays on it. */
export const findResidentContacts = (db: Db, ownerId: Id, ids: readonly Id[]): Promise<ResidentContact[]> =>
  ids.length
    ? db.rows(
        sql`
          select id, name, mobile, email, run_wechat as open_id, run_wechat_time as open_since
          from resident
          where owner_id = ${ownerId} and id = any(${[...ids]})
        `,
      )
    : Promise.resolve([])

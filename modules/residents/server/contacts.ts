import { sql, type Db } from '#kit/server/db.ts'

/** Names and telephones of residents by id, whatever became of them: whom a bill asked stays on it. */
export const residentContacts = (db: Db, owner: number, ids: readonly number[]): Promise<{ id: number; name: string; mobile?: string }[]> =>
  ids.length ? db.rows(sql`select id, name, mobile from resident where owner_id = ${owner} and id = any(${[...ids]})`) : Promise.resolve([])

import { sql, type Store } from '#kit/server/db.ts'
import { golden } from '../../../db/golden/fill.ts'

/** The number of the golden company that tests bill in. */
export const goldenOwner = async (store: Store): Promise<number> => (await store.reader('*').one<{ ownerId: number }>(sql`select owner_id from manager where login_code = ${golden.first.owner}`))!.ownerId

import { randomBytes } from 'node:crypto'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'

/** 128 random bits: nobody guesses the code of a point, or makes one from its number. */
const newCode = (): string => randomBytes(16).toString('base64url')

/** Gives points a code of their own; the one of before is valid no longer. */
export async function assignCodes(tx: Tx, { ownerId }: Scope, ids: readonly Id[]): Promise<void> {
  if (!ids.length) return
  await tx.execute(sql`
    update patrol_point p
    set run_qr_code = c.code
    from unnest(${[...ids]}::bigint[], ${ids.map(newCode)}::text[]) as c(id, code)
    where p.owner_id = ${ownerId} and p.id = c.id
  `)
}

/** What the labels of points say, by point. */
export async function loadCodes(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, string>> {
  const rows = await db.rows<{ id: Id; code: string }>(sql`
    select id, run_qr_code as code
    from patrol_point
    where owner_id = ${ownerId} and id = any(${[...ids]}::bigint[]) and run_qr_code is not null
  `)
  return new Map(rows.map(row => [row.id, row.code]))
}

import { randomInt } from 'node:crypto'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Id } from '#kit/domain/id.ts'

const digits = 8

const randomCode = (): string => String(randomInt(10 ** digits)).padStart(digits, '0')

/** Codes that nobody of the company has or had; a unique index decides between two at the same moment. */
export async function newCodes(tx: Tx, ownerId: Id, count: number): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < count) {
    const drawn = Array.from({ length: count - codes.size }, randomCode)
    const used = await tx.rows<{ inviteNo: string }>(sql`
      select invite_no
      from invite_visitor
      where owner_id = ${ownerId} and invite_no = any(${drawn}::text[])
    `)
    const taken = new Set(used.map(row => row.inviteNo))
    for (const code of drawn) {
      if (!taken.has(code)) {
        codes.add(code)
      }
    }
  }
  return [...codes]
}

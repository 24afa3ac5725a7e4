import { randomInt } from 'node:crypto'
import { sql, type Tx } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import type { Id } from '#kit/domain/id.ts'
import { drawCodes, registerReaderCodes } from '#modules/residents/server/public.ts'
import { visitState } from '../contract/choices.ts'

const digits = 8

export const randomCode = (): string => String(randomInt(10 ** digits)).padStart(digits, '0')

/**
 * Codes that nobody of the company has or had, and no card; a unique index decides between two at the same
 * moment.
 */
export const newCodes = (tx: Tx, ownerId: Id, count: number): Promise<string[]> =>
  drawCodes(tx, {
    ownerId,
    count,
    draw: randomCode,
    findUsed: async drawn => {
      const rows = await tx.rows<{ inviteNo: string }>(sql`
        select invite_no
        from invite_visitor
        where owner_id = ${ownerId} and invite_no = any(${[...drawn]}::text[])
      `)
      return rows.map(({ inviteNo }) => inviteNo)
    },
  })

// ACS-1: no card gets the number of a code that works, or may yet.
registerReaderCodes(async (db, { ownerId, time, numbers }) => {
  const rows = await db.rows<{ inviteNo: string }>(sql`
    select invite_no
    from invite_visitor
    where owner_id = ${ownerId}
      and invite_no = any(${[...numbers]}::text[])
      and ${notDeleted()}
      and (
        state in ${codes(visitState, 'pending', 'passed', 'arrived')}
        or (state = ${code(visitState, 'left')} and end_time >= ${time}::timestamptz)
      )
  `)
  return rows.map(({ inviteNo }) => inviteNo)
})

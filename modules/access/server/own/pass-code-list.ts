import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { passCodeState } from '../../contract/choices.ts'
import type { PassCode } from '../../contract/pass-code.ts'
import { keyOfCredential } from '../reach/credential-source.ts'
import { findHolderFaults } from '../reach/holder-fault.ts'

/** Listed by its state, what is over or was a former employee's is not valid. */
export const isAsListed = (ownerId: Id, today: Day) => sql`
  not (
    t.state = ${code(passCodeState, 'valid')}
    and (
      t.end_date < ${today}::date
      or exists (
        select 1
        from staff s
        where s.owner_id = ${ownerId} and s.id = t.staff_id and s.state = ${code(staffState, 'left')}
      )
    )
  )
`

/** With the reasons why some that nobody revoked open nothing today, as the doors decide it. */
export async function withInvalidReasons(
  db: Db,
  ownerId: Id,
  rows: readonly PassCode[],
  today: Day,
): Promise<PassCode[]> {
  const valid = rows.filter(row => row.state === 'valid' && row.endDate >= today)
  const numbers = await db.rows<{ id: Id; runCode: string }>(sql`
    select id, run_code
    from pass_code
    where owner_id = ${ownerId} and id = any(${valid.map(({ id }) => id)}::bigint[])
  `)
  const keys = new Map(numbers.map(({ id, runCode }) => [id, keyOfCredential('pass', runCode)]))
  const reasons = new Map<Id, string>()
  for (const [projectCode, some] of Map.groupBy(valid, row => row.projectCode)) {
    const asked = some.flatMap(({ id }) => keys.get(id) ?? [])
    const faults = await findHolderFaults(db, { ownerId, projectCode, today, keys: asked })
    for (const { id } of some) {
      const fault = faults.get(keys.get(id) ?? '')
      if (fault !== undefined) {
        reasons.set(id, fault)
      }
    }
  }
  return rows.map(row => ({
    ...row,
    invalidReason: row.state === 'valid' && row.endDate < today ? '已过期' : reasons.get(row.id),
  }))
}

import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { staffState } from '#modules/staff/contract/labels.ts'

export interface SheetPerson {
  readonly id: Id
  readonly name: string
}

/** People by the numbers that sheets and devices call them. A number of two is of neither. */
export async function findByStaffNo(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  numbers: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, SheetPerson>> {
  const rows = await db.rows<SheetPerson & { staffNo: string }>(sql`
    select id, name, staff_no
    from staff
    where owner_id = ${ownerId}
      and staff_no = any(${[...new Set(numbers.filter(no => no !== undefined))]}::text[])
      and state <> ${code(staffState, 'left')}
      and ${notDeleted()}
  `)
  const byNo = Map.groupBy(rows, ({ staffNo }) => staffNo)
  return new Map(
    [...byNo].flatMap(([no, [only, ...others]]) => (only && !others.length ? [[no, only] as const] : [])),
  )
}

export const unknownStaff = (staffNo: string | undefined) => ({
  column: 'staffNo',
  message: `工号「${staffNo ?? ''}」不存在、已离职或有多人使用`,
  remedy: '核对通讯录中的工号',
})

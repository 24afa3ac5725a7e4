import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { Car } from '../contract/car.ts'

/** Cars with the group that each shares places with, by plate and project. */
export async function withGroups<T extends Pick<Car, 'projectCode' | 'plateNo'>>(
  db: Db,
  ownerId: Id,
  rows: readonly T[],
): Promise<readonly T[]> {
  if (!rows.length) return rows
  const plates = rows.map(row => row.plateNo)
  const found = await db.rows<{ projectCode: string; plateNo: string; groupName: string }>(sql`
    select g.project_code, p.plate_no, g.group_name
    from car_group g
    cross join lateral unnest(g.plate_nos) as p(plate_no)
    where g.owner_id = ${ownerId}
      and g.project_code = any(${[...new Set(rows.map(row => row.projectCode))]}::text[])
      and g.plate_nos && ${plates}::text[]
      and ${notDeleted('g')}
  `)
  const names = new Map(found.map(row => [`${row.projectCode}/${row.plateNo}`, row.groupName]))
  return rows.map(row => ({ ...row, groupName: names.get(`${row.projectCode}/${row.plateNo}`) }))
}

import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { carState } from '../contract/car-labels.ts'

/** The groups of plates, whatever their days: for a statement that asks about the cars of the same groups. */
export const groupIdsOfPlates = (
  ownerId: Id,
  projectCode: RawBuilder<unknown>,
  plates: readonly string[],
): RawBuilder<unknown> => sql`
  select g.id
  from car_group g
  where g.owner_id = ${ownerId}
    and g.project_code = ${projectCode}
    and g.plate_nos && ${[...plates]}::text[]
    and ${notDeleted('g')}
  order by g.id
`

/** What happened to a car, by its plate of now: the condition on rows that are `t`. */
export const isOfCar = (ownerId: Id, carId: Id): RawBuilder<unknown> => sql`
  (
    t.plate_no = (select c.plate_no from car c where c.owner_id = ${ownerId} and c.id = ${carId})
    and t.project_code = (select c.project_code from car c where c.owner_id = ${ownerId} and c.id = ${carId})
  )
`

interface PlateOfProject {
  readonly projectCode: string
  readonly plateNo: string
}

/** The live cars of plates. Needs car_plate_live. */
export async function findCarIds(
  db: Db,
  ownerId: Id,
  plates: readonly PlateOfProject[],
): Promise<(plate: PlateOfProject) => Id | undefined> {
  const found = plates.length
    ? await db.rows<PlateOfProject & { id: Id }>(sql`
        select c.id, c.project_code, c.plate_no
        from car c
        where c.owner_id = ${ownerId}
          and c.project_code = any(${[...new Set(plates.map(row => row.projectCode))]}::text[])
          and c.plate_no = any(${[...new Set(plates.map(row => row.plateNo))]}::text[])
          and c.car_state <> ${code(carState, 'cancelled')}
          and ${notDeleted('c')}
      `)
    : []
  const ids = new Map(found.map(row => [`${row.projectCode}/${row.plateNo}`, row.id]))
  return ({ projectCode, plateNo }) => ids.get(`${projectCode}/${plateNo}`)
}

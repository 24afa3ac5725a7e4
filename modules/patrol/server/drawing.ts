import type { Id } from '#kit/domain/id.ts'
import type { Decimal, ValueOf } from '#kit/contract/field.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'
import { findAll, requireById } from '#kit/server/table.ts'
import { patrolArea } from '../contract/area.ts'
import { getAreaDrawing, savePlaces, type placeFields } from '../contract/drawing.ts'
import { patrolPoint } from '../contract/point.ts'

type Place = ValueOf<typeof placeFields>

interface DrawnPoint {
  readonly pointId: Id
  readonly x: Decimal
  readonly y: Decimal
  readonly areaId: Id
  readonly areaName: string
  readonly image: string
}

/** Fewer points make no way. */
const minPlaces = 2

/** The drawing on which most of these points are placed; nothing where a way cannot be drawn on one. */
export async function loadDrawing(db: Db, { ownerId }: Pick<Scope, 'ownerId'>, pointIds: readonly Id[]) {
  const rows = await db.rows<DrawnPoint>(sql`
    select p.id as point_id, trim_scale(p.drawing_x)::text as x, trim_scale(p.drawing_y)::text as y,
      a.id as area_id, a.area_name, a.drawing as image
    from patrol_point p
    join patrol_area a on a.owner_id = ${ownerId} and a.id = p.area_id and ${notDeleted('a')}
    where p.owner_id = ${ownerId}
      and p.id = any(${[...pointIds]}::bigint[])
      and p.drawing_x is not null
      and p.drawing_y is not null
      and a.drawing is not null
    order by p.id
  `)
  const [most] = [...Map.groupBy(rows, row => row.areaId).values()].toSorted((a, b) => b.length - a.length)
  const [first] = most ?? []
  if (!most || !first || most.length < minPlaces) return undefined
  return {
    areaName: first.areaName,
    image: first.image,
    places: most.map(({ pointId, x, y }) => ({ pointId, x, y })),
  }
}

const placesOf = (points: readonly { id: Id; drawingX?: Decimal; drawingY?: Decimal }[]): Place[] =>
  points.flatMap(({ id, drawingX: x, drawingY: y }) =>
    x === undefined || y === undefined ? [] : [{ pointId: id, x, y }],
  )

const pointsOfArea = (db: Db, scope: Scope, areaId: Id) =>
  findAll(db, patrolPoint, scope, {}, { where: [sql`t.area_id = ${areaId}`] })

export const drawingHandlers = [
  reads(getAreaDrawing, async ({ id }, { db, scope }) => {
    const { areaName, drawing: image } = await requireById(db, patrolArea, scope, id)
    const points = await pointsOfArea(db, scope, id)
    return {
      id,
      areaName,
      image,
      points: points.map(point => ({ id: point.id, name: point.pointName })),
      places: placesOf(points),
    }
  }),
  writes(savePlaces, async ({ id, places = [] }, { tx, scope }) => {
    const area = await requireById(tx, patrolArea, scope, id, { lock: true })
    const points = await pointsOfArea(tx, scope, id)
    const known = new Set(points.map(point => point.id))
    const seen = new Set<Id>()
    const faults = places.flatMap(({ pointId }, i) => {
      const isRepeated = seen.has(pointId)
      seen.add(pointId)
      const Message = isRepeated ? '同一点位重复' : '点位不存在或不属于该区域，请刷新后重试'
      return isRepeated || !known.has(pointId) ? [{ Field: `Places[${i}].LocationID`, Message }] : []
    })
    if (faults.length) throw invalidInput(faults)
    const placeOf = new Map(places.map(place => [place.pointId, place]))
    await tx.execute(sql`
      update patrol_point t
      set drawing_x = d.x::numeric, drawing_y = d.y::numeric, ${touch(scope, 't')}
      from unnest(
        ${sqlArray(
          'bigint',
          points.map(point => point.id),
        )},
        ${sqlArray(
          'text',
          points.map(point => placeOf.get(point.id)?.x ?? null),
        )},
        ${sqlArray(
          'text',
          points.map(point => placeOf.get(point.id)?.y ?? null),
        )}
      ) as d(id, x, y)
      where t.owner_id = ${scope.ownerId}
        and t.id = d.id
        and (t.drawing_x is distinct from d.x::numeric or t.drawing_y is distinct from d.y::numeric)
    `)
    await audit(tx, scope, [
      {
        action: 'update',
        entity: 'patrolArea',
        entityId: id,
        projectCode: area.projectCode,
        after: { places: places.length },
        reason: '布置点位',
      },
    ])
  }),
]

import { invalidInput } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById, findAll, projectRequired, tenantFilter } from '#kit/server/table.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { park } from '../contract/park.ts'
import { parkPlace, listPlaceNodes, type PlaceNode } from '../contract/park-place.ts'

type PlaceNodeQuery = NonNullable<typeof listPlaceNodes.input.T>

async function projectNodes(db: Db, scope: Scope, query: PlaceNodeQuery): Promise<PlaceNode[]> {
  const counts = new Map(
    (
      await db.rows<{ key: string; count: number }>(
        sql`
          select t.project_code as key, count(*)::int as count
          from park_place as t
          where ${tenantFilter(parkPlace, scope, query.projectCode)}
          group by 1
        `,
      )
    ).map(r => [r.key, r.count]),
  )
  return (await findAll(db, estate, scope, query.projectCode ? { projectCode: query.projectCode } : {})).map(
    estateRow => ({
      key: estateRow.projectCode,
      level: 'project',
      name: estateRow.name,
      projectCode: estateRow.projectCode,
      count: counts.get(estateRow.projectCode) ?? 0,
      leaf: false,
    }),
  )
}

async function parkNodes(db: Db, scope: Scope, query: PlaceNodeQuery): Promise<PlaceNode[]> {
  const projectCode = query.projectCode ?? scope.projectCode
  if (!projectCode) throw projectRequired()
  const counts = new Map(
    (
      await db.rows<{ key: number; count: number }>(
        sql`
          select t.park_id as key, count(*)::int as count
          from park_place as t
          where ${tenantFilter(parkPlace, scope, projectCode)}
          group by 1
        `,
      )
    ).map(r => [r.key, r.count]),
  )
  return (await findAll(db, park, scope, { projectCode })).map(place => ({
    key: `park/${place.id}`,
    level: 'park',
    name: place.name,
    projectCode,
    parkId: place.id,
    count: counts.get(place.id) ?? 0,
    leaf: false,
  }))
}

/** The areas of a car park, then the places that are in none. */
async function areaNodes(db: Db, scope: Scope, query: PlaceNodeQuery): Promise<PlaceNode[]> {
  const lot = await requirePark(db, scope, query)
  const found = await db.rows<{ areaName: string; count: number }>(
    sql`
      select t.area_name, count(*)::int as count
      from park_place as t
      where ${tenantFilter(parkPlace, scope)} and t.park_id = ${lot.id} and t.area_name is not null
      group by 1
      order by 1
    `,
  )
  return [
    ...found.map((row): PlaceNode => ({
      key: `park/${lot.id}/${row.areaName}`,
      level: 'area',
      name: row.areaName,
      projectCode: lot.projectCode,
      parkId: lot.id,
      areaName: row.areaName,
      count: row.count,
      leaf: false,
    })),
    ...(await spaceNodes(db, scope, { ...query, areaName: '' })),
  ]
}

async function spaceNodes(db: Db, scope: Scope, query: PlaceNodeQuery): Promise<PlaceNode[]> {
  const lot = await requirePark(db, scope, query)
  const where = [
    sql`t.park_id = ${lot.id}`,
    ...(query.areaName === undefined
      ? []
      : query.areaName === ''
        ? [sql`t.area_name is null`]
        : [sql`t.area_name = ${query.areaName}`]),
  ]
  const found = await findAll(
    db,
    parkPlace,
    scope,
    {},
    { where, keys: ['id', 'code', 'placeNo', 'areaName', 'placeState'], limit: 20_000 },
  )
  return found.map(place => ({
    key: `place/${place.id}`,
    level: 'place',
    name: place.placeNo,
    projectCode: lot.projectCode,
    parkId: lot.id,
    ...(place.areaName ? { areaName: place.areaName } : {}),
    id: place.id,
    ...(place.code ? { code: place.code } : {}),
    placeState: place.placeState,
    leaf: true,
  }))
}

const requirePark = (db: Db, scope: Scope, q: PlaceNodeQuery) => {
  if (!q.parkId) throw invalidInput([{ Field: 'ParkID', Message: '请先选择停车场' }])
  return requireById(db, park, scope, q.parkId)
}

const nodeLoaders = { project: projectNodes, park: parkNodes, area: areaNodes, place: spaceNodes }

function nextLevel(q: PlaceNodeQuery): keyof typeof nodeLoaders {
  if (q.level) return q.level
  if (q.areaName !== undefined) return 'place'
  return q.parkId ? 'area' : q.projectCode ? 'park' : 'project'
}

export const placeNodeHandlers = [
  reads(listPlaceNodes, (q, { db, scope }) => nodeLoaders[nextLevel(q)](db, scope, q)),
]

import { wrong } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { need, rows, unknownProject, wall } from '#kit/server/table.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { park } from '../contract/park.ts'
import { parkPlace, placeNodes, type PlaceNode } from '../contract/place.ts'

type Ask = NonNullable<typeof placeNodes.input.T>

async function projects(db: Db, scope: Scope, q: Ask): Promise<PlaceNode[]> {
  const counts = new Map(
    (
      await db.rows<{ key: string; count: number }>(
        sql`
          select t.project_code as key, count(*)::int as count
          from park_place as t
          where ${wall(parkPlace, scope, q.projectCode)}
          group by 1
        `,
      )
    ).map(r => [r.key, r.count]),
  )
  return (await rows(db, estate, scope, q.projectCode ? { projectCode: q.projectCode } : {})).map(e => ({
    key: e.projectCode,
    level: 'project',
    name: e.name,
    projectCode: e.projectCode,
    count: counts.get(e.projectCode) ?? 0,
    leaf: false,
  }))
}

async function parks(db: Db, scope: Scope, q: Ask): Promise<PlaceNode[]> {
  const projectCode = q.projectCode ?? scope.projectCode
  if (!projectCode) throw unknownProject()
  const counts = new Map(
    (
      await db.rows<{ key: number; count: number }>(
        sql`
          select t.park_id as key, count(*)::int as count
          from park_place as t
          where ${wall(parkPlace, scope, projectCode)}
          group by 1
        `,
      )
    ).map(r => [r.key, r.count]),
  )
  return (await rows(db, park, scope, { projectCode })).map(p => ({
    key: `park/${p.id}`,
    level: 'park',
    name: p.name,
    projectCode,
    parkId: p.id,
    count: counts.get(p.id) ?? 0,
    leaf: false,
  }))
}

/** The areas of a car park, then the places that are in none. */
async function areas(db: Db, scope: Scope, q: Ask): Promise<PlaceNode[]> {
  const lot = await lotOf(db, scope, q)
  const found = await db.rows<{ areaName: string; count: number }>(
    sql`
      select t.area_name, count(*)::int as count
      from park_place as t
      where ${wall(parkPlace, scope)} and t.park_id = ${lot.id} and t.area_name is not null
      group by 1
      order by 1
    `,
  )
  return [
    ...found.map((r): PlaceNode => ({
      key: `park/${lot.id}/${r.areaName}`,
      level: 'area',
      name: r.areaName,
      projectCode: lot.projectCode,
      parkId: lot.id,
      areaName: r.areaName,
      count: r.count,
      leaf: false,
    })),
    ...(await places(db, scope, { ...q, areaName: '' })),
  ]
}

async function places(db: Db, scope: Scope, q: Ask): Promise<PlaceNode[]> {
  const lot = await lotOf(db, scope, q)
  const where = [
    sql`t.park_id = ${lot.id}`,
    ...(q.areaName === undefined
      ? []
      : q.areaName === ''
        ? [sql`t.area_name is null`]
        : [sql`t.area_name = ${q.areaName}`]),
  ]
  const found = await rows(
    db,
    parkPlace,
    scope,
    {},
    { where, keys: ['id', 'code', 'placeNo', 'areaName', 'placeState'], limit: 20_000 },
  )
  return found.map(p => ({
    key: `place/${p.id}`,
    level: 'place',
    name: p.placeNo,
    projectCode: lot.projectCode,
    parkId: lot.id,
    ...(p.areaName ? { areaName: p.areaName } : {}),
    id: p.id,
    ...(p.code ? { code: p.code } : {}),
    placeState: p.placeState,
    leaf: true,
  }))
}

const lotOf = (db: Db, scope: Scope, q: Ask) => {
  if (!q.parkId) throw wrong([{ Field: 'ParkID', Message: '请先选择停车场' }])
  return need(db, park, scope, q.parkId)
}

const levels = { project: projects, park: parks, area: areas, place: places }

const next = (q: Ask): keyof typeof levels =>
  q.level ?? (q.areaName !== undefined ? 'place' : q.parkId ? 'area' : q.projectCode ? 'park' : 'project')

export const nodeHandlers = [reads(placeNodes, (q, { db, scope }) => levels[next(q)](db, scope, q))]

import type { Id } from '#kit/domain/id.ts'
import { pickFields } from '#kit/contract/field.ts'
import { invalidField, invalidInput, refuse } from '#kit/contract/wire.ts'
import { assertReferences } from '#kit/server/crud-references.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { disablingFaults } from '#kit/server/dependents.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import {
  findAll,
  findByIds,
  insert,
  insertAll,
  projectRequired,
  remove,
  requireById,
  update,
} from '#kit/server/table.ts'
import { findShortPlan, lockGeneration, rebuildTasks } from '#modules/planned-work/server/public.ts'
import { patrolPoint } from '../contract/point.ts'
import {
  addRoad,
  editRoad,
  getRoad,
  patrolRoad,
  patrolRoadPoint,
  patrolRoads,
  pickRoads,
  type PatrolRoad,
  type PatrolRoadPoint,
} from '../contract/road.ts'
import { offsetsOf, totalMinutesOf } from '../domain/road.ts'
import { loadDrawing } from './drawing.ts'

type RoadDraft = NonNullable<typeof addRoad.input.T>
type LegDraft = RoadDraft['points'][number]

export const pointsOfRoad = (db: Db, scope: Scope, roadId: Id): Promise<PatrolRoadPoint[]> =>
  findAll(db, patrolRoadPoint, scope, {}, { where: [sql`t.road_id = ${roadId}`] })

async function countPoints(db: Db, scope: Scope, ids: readonly Id[]): Promise<ReadonlyMap<Id, number>> {
  const rows = await db.rows<{ id: Id; count: number }>(sql`
    select road_id as id, count(*)::int as count
    from patrol_road_point
    where owner_id = ${scope.ownerId} and road_id = any(${[...ids]}::bigint[]) and ${notDeleted()}
    group by road_id
  `)
  return new Map(rows.map(row => [row.id, row.count]))
}

/** Every point is there, of the road's project, in use, and is in the road once. */
async function assertPoints(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  legs: readonly LegDraft[],
): Promise<void> {
  const points = await findByIds(
    tx,
    patrolPoint,
    scope,
    legs.map(leg => leg.pointId),
  )
  const pointById = new Map(points.map(point => [point.id, point]))
  const seen = new Set<Id>()
  const faults = legs.flatMap(({ pointId }, i) => {
    const point = pointById.get(pointId)
    const isRepeated = seen.has(pointId)
    seen.add(pointId)
    const fault = (Message: string) => [{ Field: `Points[${i}].LocationID`, Message }]
    if (!point || point.projectCode !== projectCode) return fault('点位不存在或不属于所选项目，请重新选择')
    if (isRepeated) return fault(`「${point.pointName}」在路线中已有，请更换`)
    return point.state === 'on' ? [] : fault(`「${point.pointName}」已停用，请更换`)
  })
  if (faults.length) throw invalidInput(faults)
}

/** The points become the legs; those of before go where anything differs. */
async function savePoints(
  tx: Tx,
  scope: Scope,
  road: { readonly id: Id; readonly projectCode: string },
  legs: readonly LegDraft[],
): Promise<boolean> {
  const before = await pointsOfRoad(tx, scope, road.id)
  const isSame =
    before.length === legs.length &&
    before.every(
      (point, i) =>
        point.pointId === legs[i]?.pointId &&
        point.legMinutes === legs[i]?.legMinutes &&
        point.tolerance === legs[i]?.tolerance,
    )
  if (isSame) return false
  if (before.length) {
    await remove(
      tx,
      patrolRoadPoint,
      scope,
      before.map(point => point.id),
    )
  }
  await insertAll(
    tx,
    patrolRoadPoint,
    scope,
    legs.map(({ pointId, legMinutes, tolerance }, i) => ({
      projectCode: road.projectCode,
      roadId: road.id,
      sort: i + 1,
      pointId,
      legMinutes,
      tolerance,
    })),
  )
  return true
}

const ownReferences = pickFields(patrolRoad.fields, ['areaId', 'orderTypeId'])

async function assertRoad(
  c: WriteContext,
  projectCode: string,
  draft: RoadDraft,
  before?: object,
): Promise<void> {
  await assertReferences(ownReferences, { ...draft, projectCode }, c, { before })
  await assertPoints(c.tx, c.scope, projectCode, draft.points)
  if (totalMinutesOf(draft.points) === 0) throw invalidField('Points', '路线总时长应大于 0 分钟')
}

/** A road that becomes longer still ends within the time of its plans (PAT-4). */
async function assertPlansReach(
  { tx, scope }: WriteContext,
  { id, totalMinutes }: Pick<PatrolRoad, 'id' | 'totalMinutes'>,
  legs: readonly LegDraft[],
): Promise<void> {
  if (totalMinutesOf(legs) <= totalMinutes) return
  const points = await findByIds(
    tx,
    patrolPoint,
    scope,
    legs.map(leg => leg.pointId),
  )
  const nameById = new Map(points.map(point => [point.id, point.pointName]))
  const offsets = offsetsOf(legs)
  const steps = legs.map(({ pointId, tolerance }, i) => ({
    name: nameById.get(pointId) ?? '',
    offsetMinutes: offsets[i] ?? 0,
    tolerance,
  }))
  const text = await findShortPlan(tx, scope, 'patrol', id, steps)
  if (text !== undefined) throw invalidField('Points', text)
}

export const roadServer = crudHandlers(patrolRoads, {
  unique: {
    patrol_road_name_live: '该项目已有同名路线，请更换',
    patrol_road_point_once: '同一点位在路线中只能出现一次',
  },
  enrich: async (rows, { db, scope }) => {
    const counts = await countPoints(
      db,
      scope,
      rows.map(row => row.id),
    )
    return rows.map(row => ({ ...row, pointCount: counts.get(row.id) ?? 0 }))
  },
  afterDelete: async (rows, { tx, scope }) => {
    const ids = rows.map(row => row.id)
    const points = await findAll(
      tx,
      patrolRoadPoint,
      scope,
      {},
      { where: [sql`t.road_id = any(${ids})`], limit: 100_000 },
    )
    await remove(
      tx,
      patrolRoadPoint,
      scope,
      points.map(point => point.id),
    )
  },
  pickers: [pickRoads],
})

export const roadHandlers = [
  reads(getRoad, async ({ id }, { db, scope }) => {
    const road = await requireById(db, patrolRoad, scope, id)
    const points = await pointsOfRoad(db, scope, id)
    const drawing = await loadDrawing(
      db,
      scope,
      points.map(point => point.pointId),
    )
    return { ...road, pointCount: points.length, points, drawing }
  }),
  writes(addRoad, async ({ id: _id, version: _version, points, ...draft }, c) => {
    const { tx, scope } = c
    if (!draft.projectCode) throw projectRequired()
    await assertRoad(c, draft.projectCode, { ...draft, points })
    const road = await insert(tx, patrolRoad, scope, { ...draft, totalMinutes: totalMinutesOf(points) })
    await savePoints(tx, scope, road, points)
    return { ...road, pointCount: points.length }
  }),
  writes(editRoad, async ({ id, version, points, ...draft }, c) => {
    const { tx, scope } = c
    if (!id) return refuse('缺少要修改的路线')
    await lockGeneration(tx, scope)
    const before = await requireById(tx, patrolRoad, scope, id, { lock: true })
    const { projectCode } = before
    await assertRoad(c, projectCode, { ...draft, points }, before)
    const faults = await disablingFaults(c, patrolRoad, draft, before)
    if (faults.length) throw invalidInput(faults)
    await assertPlansReach(c, before, points)
    const values = {
      areaId: undefined,
      orderTypeId: undefined,
      ...draft,
      projectCode,
      totalMinutes: totalMinutesOf(points),
    }
    const road = await update(tx, patrolRoad, scope, id, values, { version })
    await savePoints(tx, scope, road, points)
    await rebuildTasks(c, 'patrol', [id])
    return { ...road, pointCount: points.length }
  }),
]

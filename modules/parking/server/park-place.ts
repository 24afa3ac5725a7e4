import { bulkResultOf } from '#kit/server/bulk-result.ts'
import { canNamePlaces } from '#kit/domain/address.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { keyOf, keysOf, labelOf } from '#kit/contract/field.ts'
import { invalidInput, notFound, refuse, type FieldFault } from '#kit/contract/wire.ts'
import { naturalSortKey } from '#kit/domain/natural-sort-key.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import {
  contains,
  findByIds,
  findByKey,
  projectRequired,
  tenantFilter,
  updateAll,
} from '#kit/server/table.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { roomCodesByKeyword } from '#modules/rooms/server/public.ts'
import {
  changePlaceState,
  countPlacesByState,
  getPlaceByCode,
  parkPlace,
  parkPlaces,
  type ParkPlace,
} from '../contract/park-place.ts'
import { exportPlaces } from '../contract/import-export.ts'
import { placeState } from '../contract/labels.ts'
import { placeDateFault, placeStateFault } from '../domain/place-state.ts'
import { releaseCars } from './car-validity.ts'
import { placeImport } from './place-import.ts'

type PlaceDraft = Pick<
  ParkPlace,
  'projectCode' | 'parkId' | 'roomCode' | 'parentPlaceId' | 'beginDate' | 'endDate' | 'code'
>

const findChildPlaces = async (tx: Tx, scope: Scope, parentIds: readonly Id[]): Promise<ParkPlace[]> => {
  const found = await tx.rows<{ id: Id }>(sql`
    select id
    from park_place
    where owner_id = ${scope.ownerId} and parent_place_id = any(${[...parentIds]}) and ${notDeleted()}
  `)
  const ids = found.map(r => r.id)
  return findByIds(tx, parkPlace, scope, ids, { lock: true })
}

/** The car park of a place, kept from deletion until the end. */
const lockPark = (tx: Tx, { ownerId }: Scope, id: Id): Promise<{ projectCode: string } | undefined> =>
  tx.one<{ projectCode: string }>(sql`
    select project_code
    from park
    where owner_id = ${ownerId} and id = ${id} and ${notDeleted()}
    for share
  `)

const isRoomOf = async (tx: Tx, scope: Scope, code: string, project: string): Promise<boolean> =>
  (await findByKey(tx, room, scope, code, project)) !== undefined

const roomFault: FieldFault = { Field: 'RoomCode', Message: '房间不存在或不属于该项目，请重新选择' }

/** A tandem pair is a parent and its child: a child has no children (C10.1). */
async function parentFault(
  tx: Tx,
  scope: Scope,
  { parkId, parentPlaceId }: PlaceDraft,
  id: Id | undefined,
): Promise<string | undefined> {
  if (!parentPlaceId) return undefined
  const [parent] = await findByIds(tx, parkPlace, scope, [parentPlaceId], { lock: true })
  if (!parent || parent.parkId !== parkId) return '母车位不在同一个停车场，请重新选择'
  if (parent.parentPlaceId || parent.id === id) return '所选车位自己就是子车位，不能再作母车位'
  return id && (await findChildPlaces(tx, scope, [id])).length
    ? '该车位已是母车位，不能再作子车位'
    : undefined
}

/** What a place refers to must be there, in the same project; the first fault is answered. */
async function placeFaults(
  draft: PlaceDraft,
  { tx, scope }: WriteContext,
  before: ParkPlace | undefined,
): Promise<FieldFault[]> {
  const fault = (Field: string, Message: string): FieldFault[] => [{ Field, Message }]
  const { projectCode, parkId, roomCode } = draft
  const lockedPark = await lockPark(tx, scope, parkId)
  if (lockedPark?.projectCode !== projectCode)
    return fault('ParkID', '停车场不存在或不属于该项目，请重新选择')
  if (roomCode && !(await isRoomOf(tx, scope, roomCode, projectCode))) return [roomFault]
  const dates = placeDateFault(draft)
  if (dates) return fault('EndDate', dates)
  const parent = await parentFault(tx, scope, draft, before?.id)
  return parent ? fault('ParentPlaceID', parent) : []
}

const sortKeyOf = ({ placeNo }: { readonly placeNo: string }) => ({ sortKey: naturalSortKey(placeNo) })

/** Only free places go, and a parent not before its children. */
async function assertPlacesDeletable(
  places: readonly ParkPlace[],
  { tx, scope }: WriteContext,
): Promise<void> {
  const used = places.find(p => p.placeState !== 'free')
  if (used)
    refuse(
      `车位「${used.placeNo}」为“${labelOf(placeState, used.placeState)}”，只能删除空闲的车位，请先改为空闲`,
    )
  const ids = places.map(p => p.id)
  const child = (await findChildPlaces(tx, scope, ids)).find(c => !ids.includes(c.id))
  if (child) refuse(`车位「${child.parentPlaceNo}」还有子车位「${child.placeNo}」，请先删除子车位`)
}

/** A place by its number or code, and those of a room that the keyword names. */
const keywordCondition = (keyword: string, { scope: { ownerId } }: CrudContext) => {
  const byNumber = sql`${contains(sql`t.code`, keyword)} or ${contains(sql`t.place_no`, keyword)}`
  return canNamePlaces(keyword)
    ? sql`(
      ${byNumber}
      or (t.project_code, t.room_code) in (${roomCodesByKeyword(ownerId, keyword)})
    )`
    : sql`(${byNumber})`
}

export const placeServer = crudHandlers(parkPlaces, {
  codes: { code: 'C' },
  unique: { park_place_no_live: '该停车场已有此车位号', park_place_code_live: '该项目已有此车位编码' },
  refusesChangeOf: ['projectCode', 'code'],
  keyword: keywordCondition,
  check: placeFaults,
  beforeInsert: sortKeyOf,
  beforeUpdate: sortKeyOf,
  beforeDelete: assertPlacesDeletable,
  import: placeImport,
  export: exportPlaces,
})

type StateChange = NonNullable<typeof changePlaceState.input.T>

/**
 * The places that may change to the state and those that may not, with the reason; a tandem pair goes
 * together or stays.
 */
function judgeStateChange(
  places: readonly ParkPlace[],
  requestedIds: ReadonlySet<Id>,
  to: StateChange['placeState'],
  usage: Partial<Pick<ParkPlace, 'roomCode' | 'beginDate' | 'endDate'>>,
) {
  const faults = new Map(
    places.map(p => {
      const withParent = p.parentPlaceId !== undefined && requestedIds.has(p.parentPlaceId)
      const followsUnchanged = p.placeState === to && !requestedIds.has(p.id)
      return [p, followsUnchanged ? undefined : placeStateFault({ ...p, ...usage }, to, withParent)] as const
    }),
  )
  const pairOf = (p: ParkPlace): number => p.parentPlaceId ?? p.id
  const refusedPairs = new Set(places.filter(p => faults.get(p)).map(pairOf))
  const movable = places.filter(p => !refusedPairs.has(pairOf(p)))
  const refused = places
    .filter(p => refusedPairs.has(pairOf(p)))
    .map(p => ({
      id: p.id,
      code: p.placeNo,
      reason: faults.get(p) ?? '同一对子母车位中有一个不能变更',
    }))
  return { movable, refused }
}

async function changeStates(
  { ids, placeState: to, reason, roomCode, beginDate, endDate }: StateChange,
  { tx, scope, today }: WriteContext,
) {
  const requestedIds = new Set(ids.map(parseId))
  const requested = await findByIds(tx, parkPlace, scope, [...requestedIds], { lock: true })
  if (!requested.length) throw notFound()
  for (const project of roomCode ? new Set(requested.map(p => p.projectCode)) : []) {
    if (roomCode && !(await isRoomOf(tx, scope, roomCode, project))) throw invalidInput([roomFault])
  }
  const foundIds = requested.map(p => p.id)
  const children = (await findChildPlaces(tx, scope, foundIds)).filter(c => !foundIds.includes(c.id))
  const usage = {
    ...(roomCode ? { roomCode } : {}),
    ...(beginDate ? { beginDate } : {}),
    ...(endDate ? { endDate } : {}),
  }
  const { movable, refused } = judgeStateChange([...requested, ...children], requestedIds, to, usage)
  // A place that comes back is nobody's.
  const values = to === 'free' ? { roomCode: undefined, beginDate: undefined, endDate: undefined } : usage
  await updateAll(tx, parkPlace, scope, movable, { placeState: to, ...values }, { action: 'state', reason })
  await releaseCars(tx, scope, movable, { to, today, reason })
  return bulkResultOf(ids, requested, refused, movable.length)
}

export const placeHandlers = [
  reads(getPlaceByCode, async ({ code, projectCode }, { db, scope }) => {
    const project = projectCode ?? scope.projectCode
    if (!project) throw projectRequired()
    const found = await findByKey(db, parkPlace, scope, code, project)
    if (!found) throw notFound()
    return found
  }),
  writes(changePlaceState, changeStates),
  reads(countPlacesByState, async ({ projectCode, parkId }, { db, scope }) => {
    const found = await db.rows<{ placeState: number; count: number }>(sql`
      select t.place_state, count(*)::int as count
      from park_place as t
      where ${tenantFilter(parkPlace, scope, projectCode)}
        ${parkId ? sql`and t.park_id = ${parkId}` : sql``}
      group by 1
    `)
    const counts = new Map(found.map(r => [keyOf(placeState, r.placeState), r.count]))
    return keysOf(placeState).map(state => ({ placeState: state, count: counts.get(state) ?? 0 }))
  }),
]

import { defined } from '#kit/domain/defined.ts'
import { codeOf, keyOf, labelOf } from '#kit/contract/field.ts'
import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
import { naturalSortKey } from '#kit/domain/natural-sort-key.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { assertDeletable } from '#kit/server/dependents.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import {
  findByIds,
  findByKey,
  insert,
  requireById,
  findPage,
  remove,
  projectRequired,
  update,
  tenantFilter,
  withAllFields,
} from '#kit/server/table.ts'
import { live, touch } from '#kit/server/sql.ts'
import { room } from '#modules/rooms/contract/room.ts'
import {
  addPlace,
  changePlaceState,
  deletePlaces,
  editPlace,
  listPlaces,
  getPlace,
  parkPlace,
  getPlaceByCode,
  countPlacesByState,
  type ParkPlace,
} from '../contract/park-place.ts'
import { placeState } from '../contract/labels.ts'
import { placeDateFault, placeStateFault } from '../domain/place-state.ts'

uniqueMessages({ park_place_no_live: '该停车场已有此车位号', park_place_code_live: '该项目已有此车位编码' })

type PlaceReferences = Pick<
  ParkPlace,
  'projectCode' | 'parkId' | 'roomCode' | 'parentPlaceId' | 'beginDate' | 'endDate'
>

/** What a place refers to must be there, in the same project; a tandem pair has two storeys, not three. */
async function assertPlaceReferences(tx: Tx, scope: Scope, p: PlaceReferences, id?: number): Promise<void> {
  const [lot] = await tx.rows<{ projectCode: string }>(
    sql`
      select project_code
      from park
      where owner_id = ${scope.ownerId} and id = ${p.parkId} and ${live()}
      for share
    `,
  )
  if (!lot || lot.projectCode !== p.projectCode)
    throw invalidInput([{ Field: 'ParkID', Message: '停车场不存在或不属于该项目，请重新选择' }])
  if (p.roomCode && !(await findByKey(tx, room, scope, p.roomCode, p.projectCode)))
    throw invalidInput([{ Field: 'RoomCode', Message: '房间不存在或不属于该项目，请重新选择' }])
  const dates = placeDateFault(p)
  if (dates) throw invalidInput([{ Field: 'EndDate', Message: dates }])
  if (!p.parentPlaceId) return
  const [mother] = await findByIds(tx, parkPlace, scope, [p.parentPlaceId], true)
  if (!mother || mother.parkId !== p.parkId)
    throw invalidInput([{ Field: 'ParentPlaceID', Message: '母车位不在同一个停车场，请重新选择' }])
  if (mother.parentPlaceId || mother.id === id)
    throw invalidInput([{ Field: 'ParentPlaceID', Message: '所选车位自己就是子车位，不能再作母车位' }])
  if (id && (await findChildPlaces(tx, scope, [id])).length)
    throw invalidInput([{ Field: 'ParentPlaceID', Message: '该车位已是母车位，不能再作子车位' }])
}

const findChildPlaces = async (tx: Tx, scope: Scope, ids: readonly number[]): Promise<ParkPlace[]> => {
  const found = await tx.rows<{ id: number }>(
    sql`
      select id
      from park_place
      where owner_id = ${scope.ownerId} and parent_place_id = any(${[...ids]}) and ${live()}
    `,
  )
  return findByIds(
    tx,
    parkPlace,
    scope,
    found.map(r => r.id),
    true,
  )
}

const parkFilter = (parkId: number | undefined): RawBuilder<any>[] =>
  parkId ? [sql`t.park_id = ${parkId}`] : []

export const placeHandlers = [
  reads(listPlaces, (q, { db, scope }) =>
    findPage(db, parkPlace, scope, q, {
      filters: defined(listPlaces.input.filters),
      sums: defined(listPlaces.output.sums),
    }),
  ),
  reads(getPlace, ({ id }, { db, scope }) => requireById(db, parkPlace, scope, id)),
  reads(getPlaceByCode, async ({ code, projectCode }, { db, scope }) => {
    const project = projectCode ?? scope.projectCode
    if (!project) throw projectRequired()
    const found = await findByKey(db, parkPlace, scope, code, project)
    if (!found) throw notFound()
    return found
  }),
  writes(addPlace, async ({ id: _, version: __, ...draft }, { tx, scope }) => {
    await assertPlaceReferences(tx, scope, draft)
    return insert(tx, parkPlace, scope, {
      ...draft,
      sortKey: naturalSortKey(draft.placeNo),
      code: draft.code ?? defined(await tx.one<{ code: string }>(sql`select next_code('C') as code`)).code,
    })
  }),
  writes(editPlace, async ({ id, version, ...draft }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的车位')
    const before = await requireById(tx, parkPlace, scope, id, true)
    if (draft.projectCode !== before.projectCode)
      throw invalidInput([{ Field: 'ProjectCode', Message: '车位不能改到别的项目' }])
    if (draft.code !== undefined && draft.code !== before.code)
      throw invalidInput([{ Field: 'PlaceCode', Message: '车位编码保存后不能修改' }])
    await assertPlaceReferences(tx, scope, draft, id)
    return update(
      tx,
      parkPlace,
      scope,
      id,
      { ...withAllFields(editPlace.input, draft), code: before.code, sortKey: naturalSortKey(draft.placeNo) },
      { version },
    )
  }),
  writes(deletePlaces, async ({ ids, reason }, { tx, scope }) => {
    const found = await findByIds(tx, parkPlace, scope, ids, true)
    for (const p of found) {
      if (p.placeState !== 'free')
        return refuse(
          `车位「${p.placeNo}」为“${labelOf(placeState, p.placeState)}”，只能删除空闲的车位，请先改为空闲`,
        )
      await assertDeletable(tx, scope, 'parkPlace', `车位「${p.placeNo}」`, [p])
    }
    const left = (
      await findChildPlaces(
        tx,
        scope,
        found.map(p => p.id),
      )
    ).filter(c => !found.some(p => p.id === c.id))
    if (left.length)
      return refuse(
        `车位「${defined(left[0]).parentPlaceNo}」还有子车位「${defined(left[0]).placeNo}」，请先删除子车位`,
      )
    await remove(tx, parkPlace, scope, ids, reason)
  }),
  writes(
    changePlaceState,
    async ({ ids, placeState: to, reason, roomCode, beginDate, endDate }, { tx, scope }) => {
      const wanted = [...new Set(ids.map(Number))]
      const asked = await findByIds(tx, parkPlace, scope, wanted, true)
      if (!asked.length) throw notFound()
      if (roomCode) {
        for (const project of new Set(asked.map(p => p.projectCode))) {
          if (!(await findByKey(tx, room, scope, roomCode, project)))
            throw invalidInput([{ Field: 'RoomCode', Message: '房间不存在或不属于该项目，请重新选择' }])
        }
      }
      const family = [
        ...asked,
        ...(
          await findChildPlaces(
            tx,
            scope,
            asked.map(p => p.id),
          )
        ).filter(c => !asked.some(p => p.id === c.id)),
      ]
      const mothers = new Set(asked.map(p => p.id))
      const said = {
        ...(roomCode ? { roomCode } : {}),
        ...(beginDate ? { beginDate } : {}),
        ...(endDate ? { endDate } : {}),
      }
      const judged = family.map(p => ({
        p,
        fault:
          p.placeState === to && !wanted.includes(p.id)
            ? undefined
            : placeStateFault(
                { ...p, ...said },
                to,
                p.parentPlaceId !== undefined && mothers.has(p.parentPlaceId),
              ),
      }))
      // A pair goes together or stays.
      const stays = new Set(judged.filter(j => j.fault).map(j => j.p.parentPlaceId ?? j.p.id))
      const moved = judged.filter(j => !j.fault && !stays.has(j.p.parentPlaceId ?? j.p.id)).map(j => j.p)
      if (moved.length) {
        // A place that comes back is nobody's.
        const freed = to === 'free'
        await tx.execute(sql`
          update park_place
          set place_state = ${codeOf(placeState, to)}, ${touch(scope)},
            room_code = case when ${freed} then null else coalesce(${roomCode ?? null}, room_code) end,
            begin_date = case when ${freed} then null else coalesce(${beginDate ?? null}, begin_date) end,
            end_date = case when ${freed} then null else coalesce(${endDate ?? null}, end_date) end
          where owner_id = ${scope.ownerId} and id = any(${moved.map(p => p.id)})
        `)
        await audit(
          tx,
          scope,
          moved.map(p => ({
            action: 'state',
            entity: 'parkPlace',
            entityId: p.id,
            projectCode: p.projectCode,
            before: { placeState: p.placeState, roomCode: p.roomCode },
            after: { placeState: to, ...said },
            reason,
          })),
        )
      }
      const refused = judged
        .filter(j => !moved.includes(j.p))
        .map(j => ({ id: j.p.id, code: j.p.placeNo, reason: j.fault ?? '同一对子母车位中有一个不能变更' }))
      const gone = wanted
        .filter(id => !asked.some(p => p.id === id))
        .map(id => ({ id, reason: notFound().message }))
      return {
        success: moved.length,
        fail: refused.length + gone.length,
        skipped: 0,
        rows: [...refused, ...gone],
      }
    },
  ),
  reads(countPlacesByState, async ({ projectCode, parkId }, { db, scope }) => {
    const found = await db.rows<{ placeState: number; count: number }>(
      sql`
        select t.place_state, count(*)::int as count
        from park_place as t
        where ${sql.join([tenantFilter(parkPlace, scope, projectCode), ...parkFilter(parkId)], sql` and `)}
        group by 1
      `,
    )
    const counts = new Map(found.map(r => [defined(keyOf(placeState, r.placeState)), r.count]))
    return (Object.keys(placeState.rows) as (keyof typeof placeState.rows)[]).map(s => ({
      placeState: s,
      count: counts.get(s) ?? 0,
    }))
  }),
]

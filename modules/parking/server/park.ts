import { absent, refuse, wrong } from '#kit/contract/wire.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { text } from '#kit/domain/exact.ts'
import { ratio, roundRatio } from '#kit/domain/ratio.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { mayGo } from '#kit/server/guard.ts'
import { reads, uniqueSays, writes } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { byIds, byKey, insert, need, page, remove, rows, update, wall, whole } from '#kit/server/table.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import {
  addPark,
  deleteParks,
  editPark,
  freshParkCode,
  listParks,
  onePark,
  park,
  parkFigures,
  pickParks,
} from '../contract/park.ts'
import { parkPlace } from '../contract/place.ts'
import { inUse } from '#modules/estates/contract/estate.ts'
import { placeState, type PlaceState } from '../contract/words.ts'
import { used } from '../domain/state.ts'

uniqueSays({ park_code_live: '已有此车场编码，请换一个', park_name_live: '该项目已有同名停车场' })
const freshCode = sql<{ code: string }>`select next_code('P') as code`

const knownEstate = async (tx: Tx, scope: Scope, project: string): Promise<void> => {
  if (!(await byKey(tx, estate, scope, project, project)))
    throw wrong([{ Field: 'ProjectCode', Message: '项目不存在，请重新选择' }])
}

export const parkHandlers = [
  reads(listParks, (q, { db, scope }) =>
    page(db, park, scope, q, { filters: listParks.input.filters!, sums: listParks.output.sums! }),
  ),
  reads(pickParks, ({ projectCode }, { db, scope }) =>
    rows(db, park, scope, { projectCode }, { where: [sql`t.state = ${codeOf(inUse, 'on')}`] }),
  ),
  reads(onePark, ({ id }, { db, scope }) => need(db, park, scope, id)),
  // A sequence moves in a transaction that may write; nothing of the company changes.
  reads(
    freshParkCode,
    async (_, { scope, world }) => (await world.store.tx(scope.ownerId, tx => tx.one(freshCode)))!.code,
  ),
  writes(addPark, async ({ id: _, version: __, ...draft }, { tx, scope }) => {
    await knownEstate(tx, scope, draft.projectCode)
    return insert(tx, park, scope, { ...draft, code: draft.code ?? (await tx.one(freshCode))!.code })
  }),
  writes(editPark, async ({ id, version, ...draft }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的停车场')
    const [before] = await byIds(tx, park, scope, [id], true)
    if (!before) throw absent()
    if (draft.projectCode !== before.projectCode)
      throw wrong([{ Field: 'ProjectCode', Message: '停车场不能改到别的项目' }])
    if (draft.code !== undefined && draft.code !== before.code)
      throw wrong([{ Field: 'ParkCode', Message: '车场编码保存后不能修改' }])
    return update(tx, park, scope, id, { ...whole(editPark.input, draft), code: before.code }, { version })
  }),
  writes(deleteParks, async ({ ids, reason }, { tx, scope }) => {
    for (const p of await byIds(tx, park, scope, ids, true)) {
      await mayGo(tx, scope, 'park', `停车场「${p.name}」`, [p])
    }
    await remove(tx, park, scope, ids, reason)
  }),
  reads(parkFigures, async ({ projectCode }, { db, scope }) => {
    const parks = await rows(db, park, scope, projectCode ? { projectCode } : {})
    const found = await db.rows<{ parkId: number; placeState: number; count: number }>(
      sql`
        select t.park_id, t.place_state, count(*)::int as count
        from park_place as t
        where ${wall(parkPlace, scope, projectCode)}
        group by 1, 2
      `,
    )
    const of = Map.groupBy(found, r => r.parkId)
    return parks.map(p => {
      const counts = new Map((of.get(p.id) ?? []).map(r => [keyOf(placeState, r.placeState)!, r.count]))
      const n = (s: PlaceState): number => counts.get(s) ?? 0
      const total = [...counts.values()].reduce((a, b) => a + b, 0)
      const given = used.reduce((a, s) => a + n(s), 0)
      return {
        id: p.id,
        name: p.name,
        ...(p.code ? { code: p.code } : {}),
        total,
        free: n('free'),
        sold: n('sold'),
        let: n('let'),
        own: n('own'),
        off: n('off'),
        ...(total ? { useRate: text(roundRatio(ratio(given * 100, total), 2)) } : {}),
      }
    })
  }),
]

import { defined } from '#kit/domain/defined.ts'
import { notFound, refuse, invalidInput } from '#kit/contract/wire.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { formatExact } from '#kit/domain/exact.ts'
import { ratio, roundRatio } from '#kit/domain/ratio.ts'
import { sql, type Tx } from '#kit/server/db.ts'
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
  findAll,
  update,
  tenantFilter,
  withAllFields,
} from '#kit/server/table.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import {
  addPark,
  deleteParks,
  editPark,
  generateParkCode,
  listParks,
  getPark,
  park,
  listParkStatistics,
  pickParks,
} from '../contract/park.ts'
import { parkPlace } from '../contract/park-place.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { placeState, type PlaceState } from '../contract/labels.ts'
import { usedStates } from '../domain/place-state.ts'

uniqueMessages({ park_code_live: '已有此车场编码，请换一个', park_name_live: '该项目已有同名停车场' })
const nextCodeQuery = sql<{ code: string }>`select next_code('P') as code`

const assertEstateExists = async (tx: Tx, scope: Scope, project: string): Promise<void> => {
  if (!(await findByKey(tx, estate, scope, project, project)))
    throw invalidInput([{ Field: 'ProjectCode', Message: '项目不存在，请重新选择' }])
}

export const parkHandlers = [
  reads(listParks, (q, { db, scope }) =>
    findPage(db, park, scope, q, {
      filters: defined(listParks.input.filters),
      sums: defined(listParks.output.sums),
    }),
  ),
  reads(pickParks, ({ projectCode }, { db, scope }) =>
    findAll(db, park, scope, { projectCode }, { where: [sql`t.state = ${codeOf(enabledState, 'on')}`] }),
  ),
  reads(getPark, ({ id }, { db, scope }) => requireById(db, park, scope, id)),
  // A sequence moves in a transaction that may write; nothing of the company changes.
  reads(
    generateParkCode,
    async (_, { scope, app }) =>
      defined(await app.database.tx(scope.ownerId, tx => tx.one(nextCodeQuery))).code,
  ),
  writes(addPark, async ({ id: _, version: __, ...draft }, { tx, scope }) => {
    await assertEstateExists(tx, scope, draft.projectCode)
    return insert(tx, park, scope, {
      ...draft,
      code: draft.code ?? defined(await tx.one(nextCodeQuery)).code,
    })
  }),
  writes(editPark, async ({ id, version, ...draft }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的停车场')
    const [before] = await findByIds(tx, park, scope, [id], true)
    if (!before) throw notFound()
    if (draft.projectCode !== before.projectCode)
      throw invalidInput([{ Field: 'ProjectCode', Message: '停车场不能改到别的项目' }])
    if (draft.code !== undefined && draft.code !== before.code)
      throw invalidInput([{ Field: 'ParkCode', Message: '车场编码保存后不能修改' }])
    return update(
      tx,
      park,
      scope,
      id,
      { ...withAllFields(editPark.input, draft), code: before.code },
      { version },
    )
  }),
  writes(deleteParks, async ({ ids, reason }, { tx, scope }) => {
    for (const p of await findByIds(tx, park, scope, ids, true)) {
      await assertDeletable(tx, scope, 'park', `停车场「${p.name}」`, [p])
    }
    await remove(tx, park, scope, ids, reason)
  }),
  reads(listParkStatistics, async ({ projectCode }, { db, scope }) => {
    const parks = await findAll(db, park, scope, projectCode ? { projectCode } : {})
    const found = await db.rows<{ parkId: number; placeState: number; count: number }>(
      sql`
        select t.park_id, t.place_state, count(*)::int as count
        from park_place as t
        where ${tenantFilter(parkPlace, scope, projectCode)}
        group by 1, 2
      `,
    )
    const of = Map.groupBy(found, r => r.parkId)
    return parks.map(p => {
      const counts = new Map(
        (of.get(p.id) ?? []).map(r => [defined(keyOf(placeState, r.placeState)), r.count]),
      )
      const n = (s: PlaceState): number => counts.get(s) ?? 0
      const total = [...counts.values()].reduce((a, b) => a + b, 0)
      const given = usedStates.reduce((a, s) => a + n(s), 0)
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
        ...(total ? { useRate: formatExact(roundRatio(ratio(given * 100, total), 2)) } : {}),
      }
    })
  }),
]

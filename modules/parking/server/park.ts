import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { formatExact } from '#kit/domain/exact.ts'
import { ratio, roundRatio } from '#kit/domain/ratio.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { findAll, tenantFilter } from '#kit/server/table.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { generateParkCode, listParkStatistics, park, parks, pickParks } from '../contract/park.ts'
import { parkPlace } from '../contract/park-place.ts'
import { placeState, type PlaceState } from '../contract/labels.ts'
import { usedStates } from '../domain/place-state.ts'

export const parkServer = crudHandlers(parks, {
  codes: { code: 'P' },
  unique: { park_code_live: '已有此车场编码，请更换', park_name_live: '该项目已有同名停车场' },
  refusesChangeOf: ['projectCode', 'code'],
})

const countBy = (found: readonly { placeState: number; count: number }[]) =>
  new Map(found.map(r => [defined(keyOf(placeState, r.placeState)), r.count]))

export const parkHandlers = [
  reads(pickParks, ({ projectCode }, { db, scope }) =>
    findAll(db, park, scope, { projectCode }, { where: [sql`t.state = ${codeOf(enabledState, 'on')}`] }),
  ),
  // A sequence moves in a transaction that may write; nothing of the company changes.
  reads(
    generateParkCode,
    async (_, { scope, app }) =>
      defined(
        await app.database.tx(scope.ownerId, tx =>
          tx.one<{ code: string }>(sql`select next_code('P') as code`),
        ),
      ).code,
  ),
  reads(listParkStatistics, async ({ projectCode }, { db, scope }) => {
    const found = await db.rows<{ parkId: Id; placeState: number; count: number }>(sql`
      select t.park_id, t.place_state, count(*)::int as count
      from park_place as t
      where ${tenantFilter(parkPlace, scope, projectCode)}
      group by 1, 2
    `)
    const rowsByPark = Map.groupBy(found, r => r.parkId)
    const all = await findAll(db, park, scope, projectCode ? { projectCode } : {})
    return all.map(({ id, name, code }) => {
      const counts = countBy(rowsByPark.get(id) ?? [])
      const countOf = (s: PlaceState): number => counts.get(s) ?? 0
      const total = [...counts.values()].reduce((a, b) => a + b, 0)
      const used = usedStates.reduce((a, s) => a + countOf(s), 0)
      return {
        id,
        name,
        ...(code ? { code } : {}),
        total,
        free: countOf('free'),
        sold: countOf('sold'),
        let: countOf('let'),
        own: countOf('own'),
        off: countOf('off'),
        ...(total ? { useRate: formatExact(roundRatio(ratio(used * 100, total), 2)) } : {}),
      }
    })
  }),
]

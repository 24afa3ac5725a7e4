import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { hasBuilding, hasPermission, unrestrictedDomain, type Caller, type Scope } from '#kit/server/scope.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findAll, updateAll } from '#kit/server/table.ts'
import { findActiveCaller, refuseReceiver, registerOpenWork } from '#modules/accounts/server/public.ts'
import { inspectionState } from '../contract/choices.ts'
import { roomInspection } from '../contract/inspection.ts'
import { inspectorBoundStates } from '../domain/inspection.ts'
import { menu } from '../module.ts'

interface Place {
  readonly projectCode: string
  readonly buildCode: string
}

const { inspect } = menu.sheet.permissions

/** Why somebody cannot inspect rooms of a building; undefined where they can. */
function inspectorRefusal(caller: Caller | undefined, { projectCode, buildCode }: Place): string | undefined {
  if (!caller || !hasPermission(caller, inspect)) return `没有「${inspect.label}」权限`
  return hasBuilding(caller.domain, projectCode, buildCode) ? undefined : '数据范围不含该房屋'
}

/** Refuses an inspector who has no account any more, or may not inspect all of the rooms. */
export async function assertInspector(
  db: Db,
  scope: Scope,
  id: Id | undefined,
  places: readonly Place[],
): Promise<void> {
  if (!id) return
  const found = await db.one<{ name: string }>(sql`
    select real_name as name
    from manager
    where owner_id = ${scope.ownerId} and id = ${id} and ${notDeleted()}
  `)
  if (!found) throw invalidField('InspectorID', '查验人的账号不存在或已被删除，请重新选择')
  const caller = await findActiveCaller(db, scope.ownerId, id)
  const [refusal] = places.flatMap(place => inspectorRefusal(caller, place) ?? [])
  if (refusal !== undefined)
    throw invalidField('InspectorID', `「${found.name}」${refusal}，不能作为查验人，请重新选择`)
}

/** Sheets that only their inspector goes on with. */
const isBound = sql`t.state in ${codes(inspectionState, ...inspectorBoundStates)}`

// PERM-8: who leaves hands over the sheets that wait for them or are in hand.
registerOpenWork({
  what: '验房单',
  count: async (tx, scope, operator) =>
    defined(
      await tx.one<{ n: number }>(sql`
        select count(*)::int as n
        from room_inspection t
        where t.owner_id = ${scope.ownerId} and t.inspector_id = ${operator} and ${isBound} and ${notDeleted('t')}
      `),
    ).n,
  handOver: async (tx, scope, from, to) => {
    const everywhere = { ...scope, domain: unrestrictedDomain }
    const where = [sql`t.inspector_id = ${from}`, isBound]
    const sheets = await findAll(tx, roomInspection, everywhere, {}, { where, limit: 100_000 })
    const caller = await findActiveCaller(tx, scope.ownerId, to)
    const refusals = sheets.flatMap(sheet => inspectorRefusal(caller, sheet) ?? [])
    if (refusals.length) {
      refuseReceiver(caller?.name ?? '', '验房单', refusals)
    }
    await updateAll(
      tx,
      roomInspection,
      everywhere,
      sheets,
      { inspectorId: to },
      { reason: '原查验人离任，移交验房单' },
    )
  },
})

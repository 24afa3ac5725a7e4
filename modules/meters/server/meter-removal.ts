import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { Refused, notFound, refuse, resultCode } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { assertDeletable } from '#kit/server/dependents.ts'
import { writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { countRows, findAll, findByIds, remove } from '#kit/server/table.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { relationState } from '#modules/fees/contract/choices.ts'
import { deleteMeters, deleteMetersBySearch, meterFilters } from '../contract/meter-calls.ts'
import { meter, type Meter } from '../contract/meter.ts'
import { meterConditions, toMeterColumnFilters } from './meter.ts'
import { hasFilter } from './reading-filters.ts'

interface MeterUsage {
  readonly id: Id
  readonly readings: number
  readonly parts: number
  readonly relations: number
}

/** What depends on meters: readings, meters under them that are not among `ids`, and relations. */
async function countDependents(
  tx: Tx,
  ownerId: Id,
  found: readonly Meter[],
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, MeterUsage>> {
  const counts = await tx.rows<MeterUsage>(sql`
    select w.id,
      (
        select count(*)
        from meter_reading r
        where r.owner_id = ${ownerId} and r.meter_id = w.id and ${notDeleted('r')}
      )::int as readings,
      (
        select count(*)
        from meter m
        where m.owner_id = ${ownerId}
          and m.parent_meter_id = w.id
          and ${notDeleted('m')}
          and not m.id = any(${[...ids]})
      )::int as parts,
      (
        select count(*)
        from fee_relation f
        where f.owner_id = ${ownerId}
          and f.meter_id = w.id
          and ${notDeleted('f')}
          and f.state <> ${code(relationState, 'ended')}
      )::int as relations
    from unnest(${found.map(m => m.id)}::bigint[]) w(id)
  `)
  return new Map(counts.map(c => [c.id, c]))
}

function removalRefusal({ readings, parts, relations }: MeterUsage): string | undefined {
  if (readings) return `有 ${readings} 条抄表记录，不能删除；不再使用请改为停用`
  if (parts) return `还有 ${parts} 块下级表，请先改它们的上级表`
  return relations ? '还在按收费标准收费，请先结束收费关联' : undefined
}

/** Deletes meters without dependents; the others stay, each with its reason. */
async function removeMeters(tx: Tx, scope: Scope, ids: readonly Id[], reason: string) {
  const found = await findByIds(tx, meter, scope, ids, { lock: true })
  if (!found.length) throw notFound()
  const dependents = await countDependents(tx, scope.ownerId, found, ids)
  const { allowed: removable, refused } = judgeRecords(
    found,
    m => removalRefusal(defined(dependents.get(m.id))),
    m => m.meterNo,
  )
  if (removable.length) {
    await assertDeletable(tx, scope, 'meter', '仪表', removable)
    await remove(
      tx,
      meter,
      scope,
      removable.map(m => m.id),
      reason,
    )
  }
  return bulkResultOf(ids, found, refused)
}

export const meterRemovalHandlers = [
  writes(deleteMeters, ({ ids, reason }, { tx, scope }) => removeMeters(tx, scope, ids.map(parseId), reason)),
  writes(deleteMetersBySearch, async ({ expected, reason, ...query }, { tx, scope, today }) => {
    if (!hasFilter(query)) return refuse('请先设定筛选条件，再按条件删除')
    const options = { filters: meterFilters, where: meterConditions(query, today) }
    const columnFilters = toMeterColumnFilters(query)
    const count = await countRows(tx, meter, scope, columnFilters, options)
    if (count !== expected)
      throw new Refused(
        resultCode.refused,
        `数据已变化：符合条件的仪表现在有 ${count} 块（刚才是 ${expected} 块），请刷新后重试`,
      )
    const found = await findAll(tx, meter, scope, columnFilters, {
      ...options,
      keys: ['id'],
      limit: 50_000,
    })
    const result = await removeMeters(
      tx,
      scope,
      found.map(m => m.id),
      reason,
    )
    return { ...result, rows: result.rows.slice(0, 200) }
  }),
]

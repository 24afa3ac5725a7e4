import { Refused, notFound, resultCode, refuse, invalidInput } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { assertDeletable } from '#kit/server/dependents.ts'
import { reads, uniqueMessages, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import {
  findByIds,
  countRows,
  insert,
  requireById,
  findPage,
  remove,
  findAll,
  projectRequired,
  update,
  withAllFields,
} from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { room } from '#modules/rooms/contract/room.ts'
import {
  addMeter,
  deleteMetersBySearch,
  deleteMeters,
  editMeter,
  listMeters,
  listReplacements,
  meterFilters,
  getMeter,
  listRoomsWithMeters,
} from '../contract/meter-calls.ts'
import { meter, meterReplace, type Meter } from '../contract/meter.ts'
import { hasFilter } from './reading-filters.ts'
import {
  findChargedMeters,
  loadReadingSpans,
  resolveMeterDraft,
  stillChargedMessage,
  validateReadMeter,
} from './meter-validation.ts'

uniqueMessages({ meter_no_live: '该项目已有此表号' })

export type MeterListInput = NonNullable<typeof listMeters.input.T>

export const meterConditions = (q: MeterListInput, today: Day): RawBuilder<unknown>[] => [
  ...(q.verifyDue ? [sql`t.next_verify_date <= ${addDays(today, 30)} and t.state in (10, 40)`] : []),
  ...(q.loose ? [sql`t.standard_id is null and t.state in (10, 40)`] : []),
  ...(q.sourceCode === undefined ? [] : [sql`t.source_code = ${q.sourceCode}`]),
  ...(q.parentId === undefined ? [] : [sql`t.parent_meter_id = ${q.parentId}`]),
]

export const toMeterColumnFilters = ({
  verifyDue: _,
  loose: __,
  sourceCode: ___,
  parentId: ____,
  ...q
}: MeterListInput) => q

/** Deletes meters that nothing hangs on; the others stay, each with its reason. */
async function removeMeters(tx: Tx, scope: Scope, ids: readonly number[], reason: string) {
  const found = await findByIds(tx, meter, scope, ids, true)
  const gone = ids.filter(id => !found.some(f => f.id === id))
  const stays: { id: number; code: string; reason: string }[] = []
  if (!found.length) throw notFound()
  const used = new Map(
    (
      await tx.rows<{
        id: number
        readings: number
        parts: number
        relations: number
      }>(sql`
        select w.id,
          (
            select count(*)
            from meter_reading r
            where r.owner_id = ${scope.ownerId} and r.meter_id = w.id and ${live('r')}
          )::int as readings,
          (
            select count(*)
            from meter m
            where m.owner_id = ${scope.ownerId}
              and m.parent_meter_id = w.id
              and ${live('m')}
              and not m.id = any(${[...ids]})
          )::int as parts,
          (
            select count(*)
            from fee_relation f
            where f.owner_id = ${scope.ownerId} and f.meter_id = w.id and ${live('f')} and f.state <> 30
          )::int as relations
        from unnest(${found.map(m => m.id)}::bigint[]) w(id)
      `)
    ).map(u => [u.id, u]),
  )
  const good: Meter[] = []
  for (const m of found) {
    const u = used.get(m.id)!
    const why = u.readings
      ? `有 ${u.readings} 条抄表记录，不能删除；不再使用请改为停用`
      : u.parts
        ? `还有 ${u.parts} 只下级表，请先改它们的上级表`
        : u.relations
          ? '还在按收费标准收费，请先结束收费关联'
          : undefined
    if (why) {
      stays.push({ id: m.id, code: m.meterNo, reason: why })
    } else {
      good.push(m)
    }
  }
  if (good.length) {
    await assertDeletable(tx, scope, 'meter', '仪表', good)
    await remove(
      tx,
      meter,
      scope,
      good.map(m => m.id),
      reason,
    )
  }
  return {
    success: good.length,
    fail: stays.length + gone.length,
    skipped: 0,
    rows: [...stays, ...gone.map(id => ({ id, reason: notFound().message }))],
  }
}

export const meterHandlers = [
  reads(listMeters, (q, { db, scope, today }) =>
    findPage(db, meter, scope, toMeterColumnFilters(q), {
      filters: meterFilters,
      where: meterConditions(q, today),
    }),
  ),
  reads(getMeter, ({ id }, { db, scope }) => requireById(db, meter, scope, id)),
  writes(addMeter, async ({ id: _, version: __, ...d }, { tx, scope }) => {
    if (!d.projectCode) throw projectRequired()
    return insert(tx, meter, scope, { ...d, ...(await resolveMeterDraft(tx, scope, d, d.projectCode)) })
  }),
  writes(editMeter, async ({ id, version, ...d }, { tx, scope }) => {
    if (!id) return refuse('缺少要修改的仪表')
    const before = await requireById(tx, meter, scope, id, true)
    const at = await resolveMeterDraft(tx, scope, d, before.projectCode, before)
    const no = validateReadMeter(d, before, (await loadReadingSpans(tx, scope.ownerId, [id])).get(id))
    if (
      (before.sourceType !== d.sourceType || before.sourceCode !== d.sourceCode) &&
      (await findChargedMeters(tx, scope.ownerId, [id])).has(id)
    )
      throw invalidInput([{ Field: 'SourceCode', Message: stillChargedMessage(before) }])
    if (no.length)
      throw invalidInput(no.map(x => ({ Field: x.key[0]!.toUpperCase() + x.key.slice(1), Message: x.says })))
    const after = await update(
      tx,
      meter,
      scope,
      id,
      { ...withAllFields(editMeter.input, d), ...at, projectCode: before.projectCode },
      { version },
    )
    // Lists of readings show it without a join.
    if (before.meterNo !== after.meterNo || before.buildCode !== after.buildCode) {
      await tx.execute(
        sql`
          update meter_reading
          set meter_no = ${after.meterNo}, build_code = ${after.buildCode ?? null}
          where owner_id = ${scope.ownerId} and meter_id = ${id}
        `,
      )
    }
    return after
  }),
  writes(deleteMeters, ({ ids, reason }, { tx, scope }) => removeMeters(tx, scope, ids.map(Number), reason)),
  writes(deleteMetersBySearch, async ({ expected, reason, ...q }, { tx, scope, today }) => {
    if (!hasFilter(q)) return refuse('请先设定筛选条件，再按条件删除')
    const find = { filters: meterFilters, where: meterConditions(q, today) }
    const n = await countRows(tx, meter, scope, toMeterColumnFilters(q), find)
    if (n !== expected)
      throw new Refused(
        resultCode.refused,
        `数据已变化：符合条件的仪表现在有 ${n} 只（刚才是 ${expected} 只），请刷新后重试`,
      )
    const found = (await findAll(tx, meter, scope, toMeterColumnFilters(q), {
      ...find,
      keys: ['id'],
      limit: 50_000,
    })) as unknown as { id: number }[]
    const got = await removeMeters(
      tx,
      scope,
      found.map(f => f.id),
      reason,
    )
    return { ...got, rows: got.rows.slice(0, 200) }
  }),
  reads(listRoomsWithMeters, async ({ projectCode, buildCode }, { db, scope }) => {
    const all = await findAll(
      db,
      room,
      scope,
      { projectCode, order: 'sortKey' },
      { where: [sql`t.build_code = ${buildCode}`], limit: 20_000 },
    )
    const meters = Map.groupBy(
      await findAll(
        db,
        meter,
        scope,
        { projectCode },
        { where: [sql`t.source_type = 10 and t.build_code = ${buildCode} and t.state <> 30`], limit: 50_000 },
      ),
      m => m.sourceCode,
    )
    return all.flatMap(r => {
      const at = { roomCode: r.code!, roomPath: r.path, unitName: r.unitName }
      const mine = meters.get(r.code)
      return mine
        ? mine.map(m => ({
            ...at,
            meterId: m.id,
            meterNo: m.meterNo,
            meterKind: m.meterKind,
            state: m.state,
          }))
        : [at]
    })
  }),
  reads(listReplacements, (q, { db, scope }) =>
    findPage(db, meterReplace, scope, q, { filters: ['meterId', 'replaceDate'] }),
  ),
]

import { codeOf, labelOf } from '#kit/contract/field.ts'
import { Refused, notFound, resultCode, refuse, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
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

export interface MeterSource {
  readonly sourceType: number
  readonly sourceCode: string
  readonly sourceName: string
  readonly buildCode?: string
  readonly sortKey?: string
}

/** Rooms and public areas of a project by code: where meters hang. One statement. */
export async function loadMeterSources(
  db: Db,
  owner: number,
  project: string,
  rooms: readonly string[],
  areas: readonly string[],
): Promise<ReadonlyMap<string, MeterSource>> {
  const found = await db.rows<MeterSource>(sql`
      select 10 as source_type, code as source_code, path as source_name, build_code, sort_key
      from room
      where owner_id = ${owner}
        and project_code = ${project}
        and code = any(${[...rooms]})
        and ${live()}
      union all
      select 40, code, name, build_code, 'zz' || coalesce(build_code, '') || code
      from public_area
      where owner_id = ${owner}
        and project_code = ${project}
        and code = any(${[...areas]})
        and ${live()}
    `)
  return new Map(found.map(s => [`${s.sourceType}/${s.sourceCode}`, s]))
}

/**
 * What meters have shown: the highest number and the first day of their live readings. A meter without any is
 * not there.
 */
export const loadReadingSpans = async (
  db: Db,
  owner: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { readonly top: string; readonly first: Day }>> =>
  new Map(
    (
      await db.rows<{ id: number; top: string; first: Day }>(
        sql`
          select w.id, x.top, x.first
          from unnest(${[...ids]}::bigint[]) w(id)
          cross join lateral (
            select trim_scale(max(r.cur_num))::text as top, min(r.read_date) as first
            from meter_reading r
            where r.owner_id = ${owner} and r.meter_id = w.id and ${live('r')} and r.state <> 30
          ) x
          where x.first is not null
        `,
      )
    ).map(x => [x.id, x]),
  )

/** Why a meter that has been read cannot be called so: its numbers would no longer stand. */
export function validateReadMeter(
  d: Pick<MeterDraft, 'meterKind' | 'initNum' | 'digits' | 'installDate'>,
  before: Meter,
  span: { readonly top: string; readonly first: Day } | undefined,
): { readonly key: 'meterKind' | 'initNum' | 'digits' | 'installDate'; readonly says: string }[] {
  if (!span) return []
  return [
    ...(d.meterKind !== before.meterKind
      ? [{ key: 'meterKind' as const, says: '已有抄表记录，表类型不能再改' }]
      : []),
    ...(d.initNum !== before.initNum
      ? [{ key: 'initNum' as const, says: '已有抄表记录，初始读数不能再改；请先删除读数' }]
      : []),
    ...(d.digits !== undefined && Number(span.top) >= 10 ** d.digits
      ? [{ key: 'digits' as const, says: `已有读数 ${span.top}，${d.digits} 位表读不出这个数，请核对` }]
      : []),
    ...(d.installDate !== undefined && d.installDate > span.first
      ? [{ key: 'installDate' as const, says: `已有 ${span.first} 的读数，安装日期不能晚于它` }]
      : []),
  ]
}

/**
 * Meters that a relation of their room or area bills by: hung elsewhere, their usage would go on to be billed
 * to whoever lives where they were.
 */
export const findChargedMeters = async (
  db: Db,
  owner: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> =>
  new Set(
    (
      await db.rows<{ id: number }>(
        sql`
          select distinct meter_id as id
          from fee_relation
          where owner_id = ${owner} and meter_id = any(${[...ids]}) and ${live()} and state <> 30
        `,
      )
    ).map(r => r.id),
  )

export const stillChargedMessage = (m: Meter): string =>
  `仪表还在按「${m.sourceName ?? ''}」的收费关联收费，请先结束收费关联，再改安装对象`

type MeterDraft = Partial<Meter> & Pick<Meter, 'meterNo' | 'meterKind'>

/** Where it hangs, and what must fit: source, parent, numbers. */
async function resolveMeterDraft(
  tx: Tx,
  scope: Scope,
  d: MeterDraft,
  project: string,
  before?: Meter,
): Promise<object> {
  const faults: FieldFault[] = []
  const kind = d.sourceType
  let at: object = {
    sourceType: undefined,
    sourceCode: undefined,
    sourceName: undefined,
    buildCode: undefined,
    sortKey: undefined,
  }
  if (kind !== undefined && kind !== 'room' && kind !== 'publicArea') {
    faults.push({ Field: 'SourceType', Message: '仪表只能装在房屋或公共区域' })
  } else if (kind && !d.sourceCode) {
    faults.push({ Field: 'SourceCode', Message: kind === 'room' ? '请选择房屋' : '请选择公共区域' })
  } else if (kind && d.sourceCode) {
    const key = Number(codeOf(sourceType, kind))
    const found = (
      await loadMeterSources(
        tx,
        scope.ownerId,
        project,
        kind === 'room' ? [d.sourceCode] : [],
        kind === 'room' ? [] : [d.sourceCode],
      )
    ).get(`${key}/${d.sourceCode}`)
    if (!found) {
      faults.push({
        Field: 'SourceCode',
        Message: kind === 'room' ? '该项目没有这间房屋，请重新选择' : '该项目没有这个公共区域，请重新选择',
      })
    } else {
      at = {
        sourceType: kind,
        sourceCode: found.sourceCode,
        sourceName: found.sourceName,
        buildCode: found.buildCode,
        sortKey: found.sortKey,
      }
    }
  }
  if (d.meterUse === 'household' && !kind) {
    faults.push({ Field: 'SourceType', Message: '户表要选择所在的房屋或公共区域' })
  }
  if (d.multiple !== undefined && Number(d.multiple) === 0) {
    faults.push({ Field: 'Multiple', Message: '倍率应大于零' })
  }
  if (d.digits !== undefined && d.initNum !== undefined && Number(d.initNum) >= 10 ** d.digits) {
    faults.push({ Field: 'InitNum', Message: `初始读数超过 ${d.digits} 位表的最大值` })
  }
  if (d.verifyDate && d.nextVerifyDate && d.nextVerifyDate < d.verifyDate) {
    faults.push({ Field: 'NextVerifyDate', Message: '下次检定不能早于检定日期' })
  }
  if (d.state === 'replaced' && before?.state !== 'replaced') {
    faults.push({ Field: 'State', Message: '更换仪表请用「换表」' })
  }
  if (before?.state === 'replaced' && d.state !== 'replaced') {
    faults.push({ Field: 'State', Message: '已更换的仪表不能再启用' })
  }
  if (d.parentMeterId !== undefined) {
    faults.push(...(await validateParent(tx, scope, d.parentMeterId, d, project, before?.id)))
  }
  if (faults.length) throw invalidInput(faults)
  return at
}

async function validateParent(
  tx: Tx,
  scope: Scope,
  parentId: number,
  d: MeterDraft,
  project: string,
  own?: number,
): Promise<FieldFault[]> {
  const [p] = await findByIds(tx, meter, scope, [parentId])
  const say = (Message: string): FieldFault[] => [{ Field: 'ParentMeterID', Message }]
  if (!p || p.projectCode !== project) return say('上级表不存在或不属于该项目')
  if (p.id === own) return say('不能以自己为上级表')
  if (p.meterKind !== d.meterKind)
    return say(`上级表是${labelOf(meter.fields.meterKind.choices!, p.meterKind)}表，与本表类型不同`)
  if (own === undefined) return []
  const circle = await tx.one(
    sql`
      with recursive up(id, parent_meter_id) as (
        select id, parent_meter_id
        from meter
        where owner_id = ${scope.ownerId} and id = ${parentId}
        union
        select m.id, m.parent_meter_id
        from meter m
        join up on m.owner_id = ${scope.ownerId} and m.id = up.parent_meter_id
      )
      select 1
      from up
      where id = ${own} or parent_meter_id = ${own}
    `,
  )
  return circle ? say('上级表是本表的下级，不能循环') : []
}

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

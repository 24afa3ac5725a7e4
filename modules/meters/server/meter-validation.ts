import { codeOf, labelOf } from '#kit/contract/field.ts'
import { invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { type Day } from '#kit/domain/day.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { live } from '#kit/server/sql.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { meter, type Meter } from '../contract/meter.ts'

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
export async function resolveMeterDraft(
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

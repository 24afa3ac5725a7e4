import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, labelOf } from '#kit/contract/field.ts'
import { invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Decimal } from '#kit/domain/decimal.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds } from '#kit/server/table.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { relationState, sourceType } from '#modules/fees/contract/choices.ts'
import { meter, type Meter } from '../contract/meter.ts'
import { validReading } from './reading-conditions.ts'

export interface MeterSource {
  readonly sourceType: number
  readonly sourceCode: string
  readonly sourceName: string
  readonly buildCode?: string
  readonly sortKey?: string
}

/** The types of object that a meter may be installed in. */
export type MeterSourceType = 'room' | 'publicArea'

/** The key of an object in `loadMeterSources`. */
export const sourceKey = (type: MeterSourceType, sourceCode: string): string =>
  `${codeOf(sourceType, type)}/${sourceCode}`

/** Rooms and public areas of a project by `sourceKey`. One statement. */
export async function loadMeterSources(
  db: Db,
  ownerId: Id,
  projectCode: string,
  roomCodes: readonly string[],
  areaCodes: readonly string[],
): Promise<ReadonlyMap<string, MeterSource>> {
  // Areas come after all rooms in walking order.
  const found = await db.rows<MeterSource>(sql`
    select ${code(sourceType, 'room')} as source_type, code as source_code, path as source_name, build_code,
      sort_key
    from room
    where owner_id = ${ownerId}
      and project_code = ${projectCode}
      and code = any(${[...roomCodes]})
      and ${notDeleted()}
    union all
    select ${code(sourceType, 'publicArea')}, code, name, build_code,
      'zz' || coalesce(build_code, '') || code
    from public_area
    where owner_id = ${ownerId}
      and project_code = ${projectCode}
      and code = any(${[...areaCodes]})
      and ${notDeleted()}
  `)
  return new Map(found.map(s => [`${s.sourceType}/${s.sourceCode}`, s]))
}

/** The highest number and the first day of a meter's valid readings. */
export interface ReadingSpan {
  readonly top: Decimal
  readonly first: Day
}

/** The spans of meters, by id. A meter without readings has none. */
export async function loadReadingSpans(
  db: Db,
  ownerId: Id,
  meterIds: readonly Id[],
): Promise<ReadonlyMap<Id, ReadingSpan>> {
  const found = await db.rows<ReadingSpan & { readonly id: Id }>(
    sql`
      select w.id, x.top, x.first
      from unnest(${[...meterIds]}::bigint[]) w(id)
      cross join lateral (
        select trim_scale(max(r.cur_num))::text as top, min(r.read_date) as first
        from meter_reading r
        where r.owner_id = ${ownerId} and r.meter_id = w.id and ${validReading('r')}
      ) x
      where x.first is not null
    `,
  )
  return new Map(found.map(x => [x.id, x]))
}

/** Whether a number does not fit a counter of so many digits. */
export const exceedsDigits = (value: Decimal, digits: number): boolean => Number(value) >= 10 ** digits

interface MeterFault {
  readonly key: 'meterKind' | 'initNum' | 'digits' | 'installDate'
  readonly message: string
}

/** What may not change of a meter that has been read: its readings would no longer be right. */
export function validateReadMeter(
  draft: Pick<MeterDraft, 'meterKind' | 'initNum' | 'digits' | 'installDate'>,
  before: Meter,
  span: ReadingSpan | undefined,
): MeterFault[] {
  if (!span) return []
  const { meterKind, initNum, digits, installDate } = draft
  const faults: MeterFault[] = []
  if (meterKind !== before.meterKind) {
    faults.push({ key: 'meterKind', message: '已有抄表记录，表类型不能再改' })
  }
  if (initNum !== before.initNum) {
    faults.push({ key: 'initNum', message: '已有抄表记录，初始读数不能再改；请先删除读数' })
  }
  if (digits !== undefined && exceedsDigits(span.top, digits)) {
    faults.push({ key: 'digits', message: `已有读数 ${span.top}，${digits} 位表的量程不足，请核对` })
  }
  if (installDate !== undefined && installDate > span.first) {
    faults.push({ key: 'installDate', message: `已有 ${span.first} 的读数，安装日期不能晚于该日` })
  }
  return faults
}

/**
 * Meters that a relation of their room or area bills by. Installed elsewhere, their usage would still be
 * billed to the occupant of the old place.
 */
export async function findChargedMeters(
  db: Db,
  ownerId: Id,
  meterIds: readonly Id[],
): Promise<ReadonlySet<Id>> {
  const found = await db.rows<{ id: Id }>(
    sql`
      select distinct meter_id as id
      from fee_relation
      where owner_id = ${ownerId}
        and meter_id = any(${[...meterIds]})
        and ${notDeleted()}
        and state <> ${code(relationState, 'ended')}
    `,
  )
  return new Set(found.map(r => r.id))
}

export const stillChargedMessage = (m: Meter): string =>
  `仪表还在按「${m.sourceName ?? ''}」的收费关联收费，请先结束收费关联，再改安装对象`

export type MeterDraft = Partial<Meter> & Pick<Meter, 'meterNo' | 'meterKind'>

/** Where a meter is installed. */
interface MeterPlace {
  readonly sourceType: MeterSourceType | undefined
  readonly sourceCode: string | undefined
  readonly sourceName: string | undefined
  readonly buildCode: string | undefined
  readonly sortKey: string | undefined
}

const noPlace: MeterPlace = {
  sourceType: undefined,
  sourceCode: undefined,
  sourceName: undefined,
  buildCode: undefined,
  sortKey: undefined,
}

/** The place of a draft, or the fault at its field. */
async function resolvePlace(
  tx: Tx,
  scope: Scope,
  draft: MeterDraft,
  projectCode: string,
): Promise<MeterPlace | FieldFault> {
  const { sourceType: type, sourceCode } = draft
  if (type === undefined) return noPlace
  if (type !== 'room' && type !== 'publicArea')
    return { Field: 'SourceType', Message: '仪表只能安装在房屋或公共区域' }
  const isRoom = type === 'room'
  if (!sourceCode) return { Field: 'SourceCode', Message: isRoom ? '请选择房屋' : '请选择公共区域' }
  const sources = await loadMeterSources(
    tx,
    scope.ownerId,
    projectCode,
    isRoom ? [sourceCode] : [],
    isRoom ? [] : [sourceCode],
  )
  const found = sources.get(sourceKey(type, sourceCode))
  if (!found) {
    const Message = isRoom ? '该项目没有该房屋，请重新选择' : '该项目没有该公共区域，请重新选择'
    return { Field: 'SourceCode', Message }
  }
  const { sourceName, buildCode, sortKey } = found
  return { sourceType: type, sourceCode: found.sourceCode, sourceName, buildCode, sortKey }
}

function validateMeterDraft(draft: MeterDraft, before: Meter | undefined): FieldFault[] {
  const { multiple, digits, initNum, verifyDate, nextVerifyDate, state } = draft
  const faults: FieldFault[] = []
  if (draft.meterUse === 'household' && !draft.sourceType) {
    faults.push({ Field: 'SourceType', Message: '户表要选择所在的房屋或公共区域' })
  }
  if (multiple !== undefined && Number(multiple) === 0) {
    faults.push({ Field: 'Multiple', Message: '倍率应大于零' })
  }
  if (digits !== undefined && initNum !== undefined && exceedsDigits(initNum, digits)) {
    faults.push({ Field: 'InitNum', Message: `初始读数超过 ${digits} 位表的最大值` })
  }
  if (verifyDate && nextVerifyDate && nextVerifyDate < verifyDate) {
    faults.push({ Field: 'NextVerifyDate', Message: '下次检定不能早于检定日期' })
  }
  if (state === 'replaced' && before?.state !== 'replaced') {
    faults.push({ Field: 'State', Message: '更换仪表请用「换表」' })
  }
  if (before?.state === 'replaced' && state !== 'replaced') {
    faults.push({ Field: 'State', Message: '已更换的仪表不能再启用' })
  }
  return faults
}

/** The place of a draft; refuses one whose place, numbers, state or parent meter are wrong. */
export async function resolveMeterDraft(
  tx: Tx,
  scope: Scope,
  draft: MeterDraft,
  projectCode: string,
  before?: Meter,
): Promise<MeterPlace> {
  const place = await resolvePlace(tx, scope, draft, projectCode)
  const faults = ['Field' in place ? [place] : [], validateMeterDraft(draft, before)].flat()
  if (draft.parentMeterId !== undefined) {
    faults.push(...(await validateParent(tx, scope, draft.parentMeterId, draft, projectCode, before?.id)))
  }
  if (faults.length || 'Field' in place) throw invalidInput(faults)
  return place
}

async function validateParent(
  tx: Tx,
  scope: Scope,
  parentId: Id,
  draft: MeterDraft,
  projectCode: string,
  ownId?: Id,
): Promise<FieldFault[]> {
  const [parent] = await findByIds(tx, meter, scope, [parentId])
  const fault = (Message: string): FieldFault[] => [{ Field: 'ParentMeterID', Message }]
  if (!parent || parent.projectCode !== projectCode) return fault('上级表不存在或不属于该项目')
  if (parent.id === ownId) return fault('不能以自己为上级表')
  if (parent.meterKind !== draft.meterKind)
    return fault(
      `上级表是${labelOf(defined(meter.fields.meterKind.choices), parent.meterKind)}表，与本表类型不同`,
    )
  if (ownId === undefined) return []
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
      where id = ${ownId} or parent_meter_id = ${ownId}
    `,
  )
  return circle ? fault('上级表是本表的下级，不能循环') : []
}

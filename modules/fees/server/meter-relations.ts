import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { notDeleted, touch, code } from '#kit/server/sql.ts'
import { feeRelation } from '../contract/relation.ts'
import { relationState, feeType, sourceType } from '../contract/choices.ts'
import { chargedMeterMessage, findChargedMeters } from './relation-validation.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { codeOf } from '#kit/contract/field.ts'

/** What a relation repeats of a meter: its object and its number. */
export interface MeterRef {
  readonly id: Id
  readonly no: string
  readonly projectCode: string
  readonly sourceType?: 'room' | 'publicArea' | undefined
  readonly sourceCode?: string | undefined
  readonly sourceName?: string | undefined
  readonly buildCode?: string | undefined
}

interface StandardRow {
  readonly id: Id
  readonly projectCode: string
  readonly name: string
  readonly state: number
  readonly feeType: number
  readonly feeItemId: Id
  readonly allowMulti: boolean
}

interface RelationRow {
  readonly id: Id
  readonly meterId?: Id
  readonly sourceCode: string
  readonly sourceType: number
  readonly standardId: Id
  readonly beginDate?: Day
  readonly endDate?: Day
  readonly billedTo?: Day
  readonly multi: boolean
}

/** The standard that meters are bound to; refuses one that is disabled or not for readings. */
async function requireMeteredStandard(tx: Tx, scope: Scope, standardId: Id): Promise<StandardRow> {
  const standard = await tx.one<StandardRow>(
    sql`
      select s.id, s.project_code, s.name, s.state, i.fee_type, i.id as fee_item_id, i.allow_multi
      from fee_standard s
      join fee_item i on i.owner_id = ${scope.ownerId} and i.id = s.fee_item_id
      where s.owner_id = ${scope.ownerId} and s.id = ${standardId} and ${notDeleted('s')}
      for share of s
    `,
  )
  if (!standard) return refuse('收费标准不存在或已被删除，请重新选择')
  const { name, state } = standard
  if (state !== codeOf(enabledState, 'on')) return refuse(`收费标准「${name}」已停用，请选择启用的标准`)
  if (standard.feeType !== codeOf(feeType, 'metered'))
    return refuse(`收费标准「${name}」不是抄表类收费，请选择抄表的收费标准`)
  return standard
}

/** The relations of the item on the meters' objects that last to the begin or longer, locked. */
const lockItemRelations = (
  tx: Tx,
  scope: Scope,
  standard: StandardRow,
  meters: readonly MeterRef[],
  begin: Day,
): Promise<RelationRow[]> =>
  tx.rows<RelationRow>(
    sql`
      select id, meter_id, source_code, source_type, standard_id, begin_date, end_date, billed_to, multi
      from fee_relation
      where owner_id = ${scope.ownerId}
        and project_code = ${standard.projectCode}
        and fee_item_id = ${standard.feeItemId}
        and source_code = any(${meters.map(m => defined(m.sourceCode))})
        and ${notDeleted()}
        and state <> ${code(relationState, 'ended')}
        and (end_date is null or end_date >= ${begin})
      order by id
      for update
    `,
  )

function meterRefusal(meter: MeterRef, standard: StandardRow): string | undefined {
  if (meter.projectCode !== standard.projectCode) return `收费标准「${standard.name}」不属于该仪表的项目`
  return meter.sourceType && meter.sourceCode ? undefined : '仪表没有所在的房屋或公共区域'
}

const placeOf = (m: Pick<MeterRef, 'sourceType' | 'sourceCode'>): string =>
  `${codeOf(sourceType, m.sourceType === 'room' ? 'room' : 'publicArea')}/${m.sourceCode}`

interface MeterBindings {
  /** Relations that end, each with its meter. */
  readonly ended: readonly { readonly relationId: Id; readonly meterId: Id }[]
  /** Meters that get a relation. */
  readonly bound: readonly MeterRef[]
  /** Why meters cannot be bound, by id. */
  readonly refusals: ReadonlyMap<Id, string>
}

/** Which meters are bound and which relations end for it. A meter that has the standard already is left. */
function planMeterBindings(
  meters: readonly MeterRef[],
  standard: StandardRow,
  relations: readonly RelationRow[],
  begin: Day,
): MeterBindings {
  const ended: { relationId: Id; meterId: Id }[] = []
  const bound: MeterRef[] = []
  const refusals = new Map<Id, string>()
  const boundByPlace = new Map<string, string>()
  for (const meterRef of meters) {
    const place = placeOf(meterRef)
    const ofPlace = relations.filter(r => `${r.sourceType}/${r.sourceCode}` === place)
    const own = ofPlace.find(r => r.meterId === meterRef.id)
    const hasOther = ofPlace.some(r => r.meterId !== meterRef.id)
    const otherMeter = boundByPlace.get(place)
    if (own?.standardId === standard.id) continue
    if (own?.billedTo !== undefined && own.billedTo >= begin) {
      refusals.set(meterRef.id, `已按原标准出账到 ${own.billedTo}，请选择之后的起收日期`)
    } else if (!standard.allowMulti && (hasOther || otherMeter !== undefined)) {
      const which = otherMeter ? `（表 ${otherMeter}）` : ''
      refusals.set(
        meterRef.id,
        `${meterRef.sourceName}已有同一收费项目的收费关联${which}；一户多表请先在收费项目中允许同一对象多个标准`,
      )
    } else {
      if (own) {
        ended.push({ relationId: own.id, meterId: meterRef.id })
      }
      bound.push(meterRef)
      boundByPlace.set(place, meterRef.no)
    }
  }
  return { ended, bound, refusals }
}

/** Ends relations the day before; those that begin later were never charged and are deleted. */
async function endMeterRelations(tx: Tx, scope: Scope, ids: readonly Id[], begin: Day): Promise<void> {
  if (!ids.length) return
  await tx.execute(
    sql`
      update fee_relation
      set end_date = case
        when begin_date < ${begin} or begin_date is null then ${addDays(begin, -1)}::date
        else begin_date
        end,
        delete_tag = case when begin_date >= ${begin} then 1 else 0 end,
        state = ${code(relationState, 'ended')}, stop_reason = '仪表改用其他收费标准', ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = any(${[...ids]})
    `,
  )
}

/**
 * Charges meters by a standard from a day on, by a relation of each meter's room or area that names the
 * meter. The relation that charged the meter for the same item ends the day before. Returns why a meter could
 * not be bound, by id; the others are bound. Six statements whatever the number of meters.
 */
export async function bindMeters(
  tx: Tx,
  scope: Scope,
  meters: readonly MeterRef[],
  standardId: Id,
  begin: Day,
): Promise<ReadonlyMap<Id, string>> {
  const standard = await requireMeteredStandard(tx, scope, standardId)
  const misplaced = meters.flatMap(m => {
    const why = meterRefusal(m, standard)
    return why === undefined ? [] : [[m.id, why] as const]
  })
  const misplacedIds = new Set(misplaced.map(([id]) => id))
  const bindable = meters.filter(m => !misplacedIds.has(m.id))
  const relations = await lockItemRelations(tx, scope, standard, bindable, begin)
  const plan = planMeterBindings(bindable, standard, relations, begin)
  const charged = await findChargedMeters(
    tx,
    scope,
    { meterIds: plan.bound.map(m => m.id), begin },
    relations.map(r => r.id),
  )
  const ended = plan.ended.filter(({ meterId }) => !charged.has(meterId)).map(({ relationId }) => relationId)
  const bound = plan.bound.filter(m => !charged.has(m.id))
  await endMeterRelations(tx, scope, ended, begin)
  await insertAll(
    tx,
    feeRelation,
    scope,
    bound.map(meterRef => ({
      projectCode: meterRef.projectCode,
      sourceType: meterRef.sourceType,
      sourceCode: meterRef.sourceCode,
      sourceName: meterRef.sourceName,
      buildCode: meterRef.buildCode,
      feeItemId: standard.feeItemId,
      standardId: standard.id,
      meterId: meterRef.id,
      beginDate: begin,
      multi: standard.allowMulti,
      state: 'charging',
    })),
  )
  const taken = [...charged].map(([id, other]) => [id, chargedMeterMessage(other)] as const)
  return new Map([...misplaced, ...plan.refusals, ...taken])
}

/**
 * Locks relations before meters, in the order of billing: those that name the meters or charge their room or
 * area. For actions that change what charges a meter.
 */
export const lockMeterRelations = (tx: Tx, ownerId: Id, meters: readonly Id[]): Promise<unknown> =>
  tx.rows(sql`
    select 1
    from fee_relation r
    where r.owner_id = ${ownerId}
      and r.id in (
        select x.id
        from meter m
        join fee_relation x on x.owner_id = ${ownerId} and x.meter_id = m.id
        where m.owner_id = ${ownerId} and m.id = any(${[...meters]}::bigint[])
        union all
        select x.id
        from meter m
        join fee_relation x on x.owner_id = ${ownerId}
          and x.project_code = m.project_code
          and x.source_type = m.source_type
          and x.source_code = m.source_code
        where m.owner_id = ${ownerId} and m.id = any(${[...meters]}::bigint[])
      )
    order by r.id
    for no key update of r
  `)

/** A new meter replaces another one at its place: the relations go on with it (MTR-11). */
export async function moveMeterRelations(tx: Tx, scope: Scope, from: Id, to: Id): Promise<void> {
  const moved = await tx.rows<{ id: Id; projectCode: string }>(
    sql`
      update fee_relation
      set meter_id = ${to}, ${touch(scope)}
      where owner_id = ${scope.ownerId} and meter_id = ${from} and ${notDeleted()}
        and state <> ${code(relationState, 'ended')}
      returning id, project_code
    `,
  )
  await audit(
    tx,
    scope,
    moved.map(row => ({
      action: 'update',
      entity: 'feeRelation',
      entityId: row.id,
      projectCode: row.projectCode,
      before: { meterId: from },
      after: { meterId: to },
      reason: '换表',
    })),
  )
}

import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { feeType, scene, sourceType } from '../contract/choices.ts'
import type { addRelation } from '../contract/relation-calls.ts'
import type { FeeRelation } from '../contract/relation.ts'
import { isSceneAllowed } from '../domain/scenes.ts'
import { loadChargeableStandards, type ChargeableStandard } from './chargeable-standards.ts'

export type RelationDraft = NonNullable<typeof addRelation.input.T>

interface RelationDays {
  readonly begin?: string
  readonly end?: string
}

interface OverlappingRelation extends RelationDays {
  readonly name: string
  readonly standard: string
}

/** The metered fee that charges a meter. */
export interface ChargedMeter extends RelationDays {
  readonly item: string
  readonly standard: string
}

/** 「2026-01-01 起至 2026-12-31」, as far as both days are known. */
function describeDays({ begin, end }: RelationDays): string {
  const from = begin ? `${begin} 起` : ''
  if (end) return `${from}至 ${end}`
  return from || '一直'
}

/**
 * FEE-7 as a message, before the constraint in the database refuses: another relation of the item on the same
 * object in those days. `exceptId`: the relation that is edited, 0 for a new one.
 */
export async function findOverlapFaults(
  tx: Tx,
  scope: Scope,
  draft: Pick<RelationDraft, 'projectCode' | 'sourceType' | 'sourceCode' | 'beginDate' | 'endDate'>,
  feeItemId: Id,
  exceptId: Id,
): Promise<FieldFault[]> {
  const overlapping = await tx.one<OverlappingRelation>(sql`
    select r.source_name as name, s.name as standard, r.begin_date as begin, r.end_date as end
    from fee_relation r
    join fee_standard s on s.owner_id = ${scope.ownerId} and s.id = r.standard_id
    where r.owner_id = ${scope.ownerId}
      and r.project_code = ${draft.projectCode}
      and r.source_type = ${code(sourceType, draft.sourceType)}
      and r.source_code = ${draft.sourceCode}
      and r.fee_item_id = ${feeItemId}
      and ${notDeleted('r')}
      and not r.multi
      and r.id <> ${exceptId}
      and daterange(r.begin_date, r.end_date, '[]') && daterange(
        ${draft.beginDate ?? null}::date, ${draft.endDate ?? null}::date, '[]'
      )
    order by r.begin_date
    limit 1
  `)
  if (!overlapping) return []
  const { name, standard } = overlapping
  return [
    {
      Field: 'BeginDate',
      Message: `「${name}」${describeDays(overlapping)}已按「${standard}」收费，请先结束它，或错开起止日期`,
    },
  ]
}

/** Faults of the free ranges: begin after end, or overlapping an earlier one. */
function validateFreeRanges(free: RelationDraft['free']): FieldFault[] {
  return (free ?? []).flatMap((range, i, all) => {
    if (range.end < range.begin) return [{ Field: `FreeJson[${i}].End`, Message: '免收期的止不能早于起' }]
    const overlaps = all.slice(0, i).some(r => r.begin <= range.end && range.begin <= r.end)
    return overlaps ? [{ Field: `FreeJson[${i}].Begin`, Message: '与上面的免收期重叠' }] : []
  })
}

async function validatePayer(db: Db, scope: Scope, draft: RelationDraft): Promise<FieldFault[]> {
  const { payerId, payerKind } = draft
  if ((payerId === undefined) !== (payerKind === undefined))
    return [{ Field: payerId === undefined ? 'PayerID' : 'PayerKind', Message: '缴费人与类别要一起选' }]
  if (payerId === undefined) return []
  const payer = await db.one(
    sql`
      select 1
      from ${sql.table(payerKind === 'company' ? 'company' : 'resident')}
      where owner_id = ${scope.ownerId} and id = ${payerId} and ${notDeleted()}
    `,
  )
  return payer ? [] : [{ Field: 'PayerID', Message: '缴费人不存在，请重新选择' }]
}

/**
 * Whether other metered fees charge the meters from a day on: `meterId` with the item and standard of each.
 * A reading goes onto one bill (MTR-9), so a second fee on a meter would never be billed. Locks the meters,
 * so that two fees bound at once see each other. `exceptIds`: relations that are edited or about to end.
 */
export async function findChargedMeters(
  tx: Tx,
  scope: Pick<Scope, 'ownerId'>,
  { meterIds, begin, end }: { readonly meterIds: readonly Id[]; readonly begin?: Day; readonly end?: Day },
  exceptIds: readonly Id[],
): Promise<ReadonlyMap<Id, ChargedMeter>> {
  const { ownerId } = scope
  await tx.rows(sql`
    select 1 from meter where owner_id = ${ownerId} and id = any(${[...meterIds]}) order by id for no key update
  `)
  const charged = await tx.rows<ChargedMeter & { readonly meterId: Id }>(sql`
    select distinct on (r.meter_id) r.meter_id, i.name as item, s.name as standard, r.begin_date as begin,
      r.end_date as end
    from fee_relation r
    join fee_standard s on s.owner_id = ${ownerId} and s.id = r.standard_id
    join fee_item i on i.owner_id = ${ownerId} and i.id = r.fee_item_id
    where r.owner_id = ${ownerId}
      and r.meter_id = any(${[...meterIds]})
      and r.id <> all(${[...exceptIds]}::bigint[])
      and i.fee_type = ${code(feeType, 'metered')}
      and ${notDeleted('r')}
      and daterange(r.begin_date, r.end_date, '[]') && daterange(${begin ?? null}::date, ${end ?? null}::date, '[]')
    order by r.meter_id, r.begin_date
  `)
  return new Map(charged.map(({ meterId, ...rest }) => [meterId, rest]))
}

/** Why a meter that is charged already cannot be bound to another fee, and what to do. */
export const chargedMeterMessage = (charged: ChargedMeter): string =>
  `该表 ${describeDays(charged)}已按「${charged.item}」的标准「${charged.standard}」收费；一块表只能绑定一项抄表收费，` +
  '其他费用请并入该标准的单价或附加费，或错开起止日期'

async function validateMeter(
  tx: Tx,
  scope: Scope,
  draft: RelationDraft,
  { isMetered, exceptId }: RelationContext,
): Promise<FieldFault[]> {
  const { meterId, projectCode, beginDate, endDate } = draft
  if (meterId === undefined) return []
  const meter = await tx.one(
    sql`
      select 1
      from meter
      where owner_id = ${scope.ownerId}
        and project_code = ${projectCode}
        and id = ${meterId}
        and ${notDeleted()}
    `,
  )
  if (!meter) return [{ Field: 'MeterID', Message: '该项目没有该仪表，请重新选择' }]
  if (!isMetered) return []
  const days = { ...(beginDate ? { begin: beginDate } : {}), ...(endDate ? { end: endDate } : {}) }
  const charged = await findChargedMeters(tx, scope, { meterIds: [meterId], ...days }, [exceptId])
  const other = charged.get(meterId)
  return other ? [{ Field: 'MeterID', Message: chargedMeterMessage(other) }] : []
}

/** What a draft is checked against besides itself; `exceptId`: the edited relation, 0 for a new one. */
interface RelationContext {
  readonly isMetered: boolean
  readonly exceptId: Id
}

/** Faults of a draft's days, free ranges, payer and meter. */
export async function validateRelation(
  tx: Tx,
  scope: Scope,
  draft: RelationDraft,
  context: RelationContext,
): Promise<FieldFault[]> {
  const { beginDate, endDate, free } = draft
  return [
    ...(beginDate && endDate && endDate < beginDate
      ? [{ Field: 'EndDate', Message: '止收日期不能早于起收日期' }]
      : []),
    ...validateFreeRanges(free),
    ...(await validatePayer(tx, scope, draft)),
    ...(await validateMeter(tx, scope, draft, context)),
  ]
}

/** 「收费标准「…」已停用…」 where the standard or its item is turned off; undefined where both are in use. */
export function disabledMessage({ standard, item }: ChargeableStandard): string | undefined {
  if (standard.state === 'off') return `收费标准「${standard.name}」已停用，请先启用或更换`
  return item.state === 'off' ? `收费项目「${item.name}」已停用，请先启用或更换` : undefined
}

/** Why an item cannot be charged to objects of a type (FEE-9); undefined where it can. */
export const sceneMessage = (
  { item }: ChargeableStandard,
  type: RelationDraft['sourceType'],
): string | undefined =>
  isSceneAllowed(item.scene, type)
    ? undefined
    : `收费项目「${item.name}」的适用场景是${scene.rows[item.scene][1]}，不能用于${sourceType.rows[type][1]}`

/** The standard of a draft; refuses one that cannot be bound. An edited relation keeps its item. */
export async function requireStandard(
  tx: Tx,
  scope: Scope,
  draft: RelationDraft,
  before?: FeeRelation,
): Promise<ChargeableStandard> {
  const { standardId } = draft
  const chargeable = (await loadChargeableStandards(tx, scope.ownerId, { ids: [standardId] })).get(standardId)
  const refuseStandard = (Message: string): never => {
    throw invalidInput([{ Field: 'StandardID', Message }])
  }
  if (!chargeable || chargeable.standard.projectCode !== draft.projectCode)
    return refuseStandard('该项目没有该收费标准，请重新选择')
  if (before?.standardId === standardId) return chargeable
  const disabled = disabledMessage(chargeable)
  if (disabled) return refuseStandard(disabled)
  if (before && chargeable.item.id !== before.feeItemId)
    return refuseStandard(`只能换成「${before.feeItemName}」的标准；其他收费项目请另外绑定`)
  const sceneFault = sceneMessage(chargeable, draft.sourceType)
  return sceneFault ? refuseStandard(sceneFault) : chargeable
}

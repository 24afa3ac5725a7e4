import type { Id } from '#kit/domain/id.ts'
import { invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { scene, sourceType } from '../contract/choices.ts'
import type { addRelation } from '../contract/relation-calls.ts'
import type { FeeRelation } from '../contract/relation.ts'
import { isSceneAllowed } from '../domain/scenes.ts'
import { loadChargeableStandards, type ChargeableStandard } from './chargeable-standards.ts'

export type RelationDraft = NonNullable<typeof addRelation.input.T>

interface OverlappingRelation {
  readonly name: string
  readonly standard: string
  readonly begin?: string
  readonly end?: string
}

/** 「2026-01-01 起至 2026-12-31」, as far as both days are known. */
function describeDays({ begin, end }: OverlappingRelation): string {
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

async function validateMeter(db: Db, scope: Scope, draft: RelationDraft): Promise<FieldFault[]> {
  if (draft.meterId === undefined) return []
  const meter = await db.one(
    sql`
      select 1
      from meter
      where owner_id = ${scope.ownerId}
        and project_code = ${draft.projectCode}
        and id = ${draft.meterId}
        and ${notDeleted()}
    `,
  )
  return meter ? [] : [{ Field: 'MeterID', Message: '该项目没有该仪表，请重新选择' }]
}

/** Faults of a draft's days, free ranges, payer and meter. */
export async function validateRelation(db: Db, scope: Scope, draft: RelationDraft): Promise<FieldFault[]> {
  const { beginDate, endDate, free } = draft
  return [
    ...(beginDate && endDate && endDate < beginDate
      ? [{ Field: 'EndDate', Message: '止收日期不能早于起收日期' }]
      : []),
    ...validateFreeRanges(free),
    ...(await validatePayer(db, scope, draft)),
    ...(await validateMeter(db, scope, draft)),
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

import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { loadIsWorkday } from '#modules/system/server/public.ts'
import { feeFormula, type FeeFormula } from '../contract/formula.ts'
import { feeItem, type FeeItem } from '../contract/item.ts'
import { feeStandard, standardVersion, type FeeStandard } from '../contract/standard.ts'
import { toStandard } from '../domain/stored-standard.ts'
import { prepareStandard, type PreparedStandard } from '../domain/standard.ts'

/** A standard prepared for a run, with its item and formula for the bills. */
export interface ChargeableStandard {
  readonly prepared: PreparedStandard
  readonly standard: FeeStandard
  readonly item: FeeItem
  readonly formula: FeeFormula
}

type StandardRow = Readonly<Record<string, unknown>>

/**
 * Standards with item, formula and prices, compiled once for a run of any size: all of an estate, or those
 * with the ids. Deleted ones are left out. One round trip.
 */
export async function loadChargeableStandards(
  db: Db,
  ownerId: Id,
  of: { readonly project?: string | undefined; readonly ids?: readonly Id[] | undefined },
): Promise<ReadonlyMap<Id, ChargeableStandard>> {
  const where = sql`s.owner_id = ${ownerId} and ${notDeleted('s')}
    ${of.project ? sql`and s.project_code = ${of.project}` : sql``}
    ${of.ids ? sql`and s.id = any(${[...of.ids]}::bigint[])` : sql``}`
  const [standards, items, formulas, prices] = await db.all<
    [StandardRow, StandardRow, StandardRow, StandardRow]
  >(
    sql`select s.* from fee_standard s where ${where} order by s.id`,
    sql`
      select i.*
      from fee_item i
      where i.owner_id = ${ownerId} and i.id in (select s.fee_item_id from fee_standard s where ${where})
    `,
    sql`
      select f.*
      from fee_formula f
      where f.owner_id = ${ownerId} and f.id in (select s.formula_id from fee_standard s where ${where})
    `,
    sql`
      select v.*
      from fee_standard_version v
      where v.owner_id = ${ownerId}
        and ${notDeleted('v')}
        and v.standard_id in (select s.id from fee_standard s where ${where})
      order by v.effective_date
    `,
  )
  // Working days are loaded only where due dates skip days off (GEN-10).
  const isWorkday = standards.some(s => s.dueSkipHoliday === true)
    ? await loadIsWorkday(db, ownerId)
    : undefined
  const itemOf = new Map(items.map(r => toEntityRow(feeItem, r)).map(i => [i.id, i]))
  const formulaOf = new Map(formulas.map(r => toEntityRow(feeFormula, r)).map(f => [f.id, f]))
  const versions = Map.groupBy(
    prices.map(r => toEntityRow(standardVersion, r)),
    v => v.standardId,
  )
  return new Map(
    standards.map(row => {
      const standard = toEntityRow(feeStandard, row)
      const item = defined(itemOf.get(standard.feeItemId))
      const formula = defined(formulaOf.get(standard.formulaId))
      return [
        standard.id,
        {
          prepared: prepareStandard(
            toStandard(standard, item, formula, versions.get(standard.id) ?? [], isWorkday),
          ),
          standard,
          item,
          formula,
        },
      ] as const
    }),
  )
}

/** Whether any formula needs totals over the estate's rooms. */
export const needsRoomTotals = (standards: Iterable<ChargeableStandard>): boolean =>
  [...standards].some(
    c =>
      c.prepared.formula?.variables.some(v =>
        ['单元总面积', '楼栋总面积', '项目总面积', '总户数'].includes(v),
      ) ?? false,
  )

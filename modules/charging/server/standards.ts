import type { FieldFault } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { findByIds } from '#kit/server/table.ts'
import { feeItem } from '#modules/fees/contract/item.ts'
import { chargerStandards, pickStandards, type ChargerStandard } from '../contract/standard.ts'
import { standardFaults } from '../domain/standard-faults.ts'
import { standardSummary, termsOfStandard, type StandardPrices } from '../domain/terms-of-standard.ts'

const incomeTypes: ReadonlySet<string> = new Set(['temporary', 'other'])

async function faultsOf(
  draft: StandardPrices & Pick<ChargerStandard, 'feeItemId'>,
  { tx, scope }: WriteContext,
): Promise<FieldFault[]> {
  const [item] = await findByIds(tx, feeItem, scope, [draft.feeItemId])
  const isUsable = item !== undefined && item.state === 'on' && incomeTypes.has(item.feeType)
  return [
    ...(isUsable ? [] : [{ Field: 'FeeItemID', Message: '收费项目应为启用的临时或其他类项目，请重新选择' }]),
    ...standardFaults(termsOfStandard(draft)),
  ]
}

export const standardServer = crudHandlers(chargerStandards, {
  unique: { charger_standard_name_live: '该项目已有同名的充电收费标准，请更换' },
  refusesChangeOf: ['projectCode'],
  check: faultsOf,
  enrich: async rows => rows.map(row => ({ ...row, summary: standardSummary(row) })),
  pickers: [pickStandards],
})

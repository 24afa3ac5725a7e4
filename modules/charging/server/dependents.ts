import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { FeeItem } from '#modules/fees/contract/item.ts'
import type { ChargerStandard } from '../contract/standard.ts'

// BASE-5
registerDependentRows(
  'estate',
  {
    label: '充电桩',
    table: 'charger_hub',
    where: ({ projectCode }: Estate) => sql`project_code = ${projectCode}`,
  },
  {
    label: '充电收费标准',
    table: 'charger_standard',
    where: ({ projectCode }: Estate) => sql`project_code = ${projectCode}`,
  },
)
registerDependentRows('feeItem', {
  label: '充电收费标准',
  table: 'charger_standard',
  where: ({ id }: FeeItem) => sql`fee_item_id = ${id}`,
})
registerDependentRows('chargerStandard', {
  label: '充电桩',
  table: 'charger_hub',
  where: ({ id }: ChargerStandard) => sql`standard_id = ${id}`,
})

import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'

// BASE-5
registerDependentRows('estate', {
  label: '采购',
  table: 'purchase',
  where: (e: Estate) => sql`project_code = ${e.projectCode}`,
})
registerDependentRows('department', {
  label: '采购',
  table: 'purchase',
  where: (d: { readonly id: number }) => sql`department_id = ${d.id}`,
})

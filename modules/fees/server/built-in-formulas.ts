import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { onCompanyCreated } from '#modules/accounts/server/public.ts'
import { formulaType } from '../contract/choices.ts'
import { code } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'

/** One formula of each type that needs no expression: what a company begins with, and cannot change. */
const builtInTypes = [
  'area',
  'fixed',
  'quantity',
  'usage',
  'tiers',
  'share',
  'imported',
  'rent',
  'risingRent',
  'times',
] as const

export const seedBuiltInFormulas = (tx: Tx, ownerId: Id): Promise<number> =>
  tx.execute(sql`
    insert into fee_formula (owner_id, name, formula_type, is_system, state)
    select ${ownerId}::bigint, name, type, true, ${code(enabledState, 'on')}
    from unnest(
      ${builtInTypes.map(t => formulaType.rows[t][1])}::text[],
      ${builtInTypes.map(t => codeOf(formulaType, t))}::smallint[]
    ) with ordinality b(name, type, n)
    order by n
    on conflict do nothing
    returning id
  `)

onCompanyCreated(async (tx, ownerId) => {
  await seedBuiltInFormulas(tx, ownerId)
})

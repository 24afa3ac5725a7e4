import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { codeOf, type ChoiceOf } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { feeType } from '#modules/fees/contract/choices.ts'

/** How a fee item differs from a plain monthly fee. */
export interface FeeItemOptions {
  readonly name?: string
  readonly feeType?: ChoiceOf<typeof feeType>
  /** Several bills of it may charge the same days. */
  readonly multi?: boolean
  readonly autoDeduct?: boolean
  /** Whether the collection rate counts it; a deposit is no income. */
  readonly inRate?: boolean
  /** 0.05 % a day; `capped` at the principal (LATE-7). */
  readonly late?: boolean | 'capped'
}

/** A fee item in use, without a standard. */
export async function seedFeeItem(
  tx: Tx,
  ownerId: Id,
  code: string,
  options: FeeItemOptions = {},
): Promise<Id> {
  const cap = options.late === 'capped' ? 1 : null
  const row = await tx.one<{ id: Id }>(sql`
    insert into fee_item (
      owner_id, code, name, fee_type, category, income_kind, bill_mode, scene, allow_multi, auto_deduct,
      in_rate, late_fee_switch, late_rates, late_fee_cap_mode, late_fee_cap_value, state
    )
    values (
      ${ownerId}, ${code}, ${options.name ?? `项目${code}`}, ${codeOf(feeType, options.feeType ?? 'cyclic')}, 10, 1,
      1, 2, ${options.multi ?? false}, ${options.autoDeduct ?? true}, ${options.inRate ?? true},
      ${Boolean(options.late)}, '[{"rate":"0.0005"}]', ${cap}, ${cap}, 10
    )
    returning id
  `)
  return defined(row).id
}

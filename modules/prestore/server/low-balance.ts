import { codeOf } from '#kit/contract/field.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { live } from '#kit/server/sql.ts'
import { ownerKind } from '../contract/choices.ts'

const ownerKindCode = (k: keyof typeof ownerKind.rows): number => codeOf(ownerKind, k) as number

/**
 * ACC-12: whether an account (`t`) holds less than it should: its own threshold, else its project's for its
 * kind; never where neither is set.
 */
export const isLowBalance = (ownerId: number): RawBuilder<boolean> => sql`t.state = 10
  and t.balance + t.gift_balance < coalesce(
    t.warn_balance,
    (
      select case t.owner_kind
        when ${ownerKindCode('room')} then s.warn_balance
        when ${ownerKindCode('resident')} then s.warn_resident
        when ${ownerKindCode('company')} then s.warn_company
        end
      from prestore_switch s
      where s.owner_id = ${ownerId} and s.project_code = t.project_code and ${live('s')}
    )
  )`

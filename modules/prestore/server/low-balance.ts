import { codeOf } from '#kit/contract/field.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { live } from '#kit/server/sql.ts'
import { ownerKind } from '../contract/choices.ts'

const ownerKindCode = (k: keyof typeof ownerKind.rows): number => codeOf(ownerKind, k) as number

/**
 * ACC-12: how much an account should hold: its own threshold, else its project's for its kind. `t` is the
 * account, `s` the project's switch.
 */
const threshold = sql`coalesce(
  t.warn_balance,
  case t.owner_kind
    when ${ownerKindCode('room')} then s.warn_balance
    when ${ownerKindCode('resident')} then s.warn_resident
    when ${ownerKindCode('company')} then s.warn_company
    end
)`

export const isLowBalance: RawBuilder<boolean> = sql`t.state = 10
  and t.balance + t.gift_balance < (
    select ${threshold}
    from (select 1) one
    left join prestore_switch s on s.owner_id = t.owner_id
      and s.project_code = t.project_code
      and ${live('s')}
  )`

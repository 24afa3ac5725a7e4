import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { accountState, ownerKind } from '../contract/choices.ts'

/**
 * ACC-12: account `t` holds less than it should: its own threshold, otherwise that of its project for its
 * kind. Unknown where neither is set.
 */
export const isLowBalance = (ownerId: Id): RawBuilder<boolean> => sql`t.state = ${code(accountState, 'open')}
  and t.balance + t.gift_balance < coalesce(
    t.warn_balance,
    (
      select case t.owner_kind
        when ${code(ownerKind, 'room')} then s.warn_balance
        when ${code(ownerKind, 'resident')} then s.warn_resident
        when ${code(ownerKind, 'company')} then s.warn_company
        end
      from prestore_switch s
      where s.owner_id = ${ownerId} and s.project_code = t.project_code and ${notDeleted('s')}
    )
  )`

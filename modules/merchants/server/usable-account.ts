import type { Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { companyState } from '#modules/accounts/contract/company.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { merchantStaffState, merchantState } from '../contract/merchant.ts'

/** An account that may sign in, with its password hash. */
export interface UsableAccount {
  readonly ownerId: Id
  readonly id: Id
  readonly projectCode: string
  readonly merchantId: Id
  readonly merchantName: string
  readonly loginName: string
  /** None of the merchant's own account. */
  readonly userName?: string
  /** Where codes are sent. */
  readonly mobile?: string
  readonly mustChange: boolean
  readonly password?: string
}

/**
 * The account that a condition on `a` names: switched on, of a merchant that has not ended and of an employee
 * who is there, in a company that is not stopped.
 */
export const findUsableAccount = (
  db: Db,
  ownerId: Id,
  where: RawBuilder<unknown>,
): Promise<UsableAccount | undefined> =>
  db.one(sql`
    select a.owner_id, a.id, a.project_code, a.merchant_id, m.name as merchant_name, a.login_name,
      s.name as user_name, case when a.staff_id is null then m.contact_phone else s.mobile end as mobile,
      a.must_change, a.run_password as password
    from merchant_account a
    join property p on p.owner_id = ${ownerId}
      and p.state <> ${code(companyState, 'stopped')}
      and ${notDeleted('p')}
    join merchant m on m.owner_id = ${ownerId}
      and m.id = a.merchant_id
      and m.state <> ${code(merchantState, 'ended')}
      and ${notDeleted('m')}
    left join merchant_staff s on s.owner_id = ${ownerId}
      and s.id = a.staff_id
      and s.state = ${code(merchantStaffState, 'on')}
      and ${notDeleted('s')}
    where a.owner_id = ${ownerId}
      and ${where}
      and a.state = ${code(enabledState, 'on')}
      and (a.staff_id is null or s.id is not null)
      and ${notDeleted('a')}
  `)

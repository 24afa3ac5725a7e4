import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { code, codes } from '#kit/server/sql.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { feeType } from '#modules/fees/contract/choices.ts'
import { orderState } from '#modules/payments/contract/choices.ts'

/** Selects the rows of a company that break the rule. */
export type Invariant = (ownerId: Id) => RawBuilder<{ what: string }>

/** What must hold for bills and their months. */
export const billInvariants: Readonly<Record<string, Invariant>> = {
  'a bill’s sums and its pay state agree': ownerId => sql`
      select b.bill_no as what
      from bill b
      join fee_item i on i.owner_id = b.owner_id and i.id = b.fee_item_id
      where b.owner_id = ${ownerId}
        and b.delete_tag = 0
        and not (
          b.discount_amount >= 0
          and b.receivable >= 0
          and b.paid_principal >= 0
          and b.unpaid_principal >= 0
          and b.late_fee_paid >= 0
          and b.late_fee_waived >= 0
          and b.late_fee_unpaid >= 0
          and b.receivable = b.amount - b.discount_amount
          and b.unpaid_principal = b.receivable - b.paid_principal
          and b.unpaid = b.unpaid_principal + b.late_fee_unpaid
          and (b.pay_state = ${code(payState, 'paid')}) = (
            b.unpaid_principal = 0 and (b.late_fee_unpaid = 0 or i.principal_settles)
          )
          and (b.state <> ${code(billState, 'abolished')} or (b.paid_principal = 0 and b.late_fee_paid = 0))
        )
    `,
  'a bill was paid what moved on it': ownerId => sql`
      select b.bill_no as what
      from bill b
      left join lateral (
        select coalesce(sum(m.principal), 0) as p, coalesce(sum(m.late_fee), 0) as l,
          coalesce(sum(m.off), 0) as off, coalesce(sum(m.waived), 0) as w
        from bill_move m
        where m.owner_id = b.owner_id and m.bill_id = b.id
      ) m on true
      where b.owner_id = ${ownerId}
        and b.delete_tag = 0
        and (
          b.paid_principal <> m.p
          or b.late_fee_paid <> m.l
          or b.discount_amount < m.off
          or b.late_fee_waived < m.w
        )
    `,
  'months add up to their bill, and are there for bills that count alone': ownerId => sql`
      select b.bill_no as what
      from bill b
      left join lateral (
        select sum(m.receivable) as r, sum(m.paid) as p, sum(m.discount) as d
        from bill_month m
        where m.owner_id = b.owner_id and m.bill_id = b.id
      ) m on true
      where b.owner_id = ${ownerId}
        and case
          when b.delete_tag = 0
            and b.state in ${codes(billState, 'normal', 'writtenOff')}
            and b.fee_type <> ${code(feeType, 'deposit')} then (m.r, m.p, m.d) is distinct from (
              b.receivable, b.paid_principal, b.discount_amount
            )
          else m.r is not null
          end
    `,
  'no bill is held by an order that is over': ownerId =>
    sql`
      select b.bill_no as what
      from bill b
      where b.owner_id = ${ownerId}
        and b.lock_order_id is not null
        and not exists (
          select 1
          from pay_order p
          where p.owner_id = b.owner_id
            and p.id = b.lock_order_id
            and p.state in ${codes(orderState, 'waiting', 'paying')}
        )
    `,
  'months close with what is owed': ownerId => sql`
      select x.project_code || '/' || x.item as what
      from (
        select m.project_code, m.fee_item_id as item, sum(m.receivable - m.paid) as owed
        from bill_month m
        where m.owner_id = ${ownerId}
        group by 1, 2
      ) x
      where x.owed <> (
        select coalesce(sum(b.unpaid_principal), 0)
        from bill b
        where b.owner_id = ${ownerId}
          and b.project_code = x.project_code
          and b.fee_item_id = x.item
          and b.delete_tag = 0
          and b.state in ${codes(billState, 'normal', 'writtenOff')}
      )
    `,
}

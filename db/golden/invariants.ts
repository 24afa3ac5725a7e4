import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { billInvariants, type Invariant } from './bill-invariants.ts'
import { code, codes } from '#kit/server/sql.ts'
import { depositEntryType, depositState } from '#modules/deposits/contract/choices.ts'
import {
  handoverState,
  payMethod,
  recordState,
  recordType,
  refundState,
} from '#modules/payments/contract/choices.ts'
import { entryType } from '#modules/prestore/contract/choices.ts'
import { chargeKind } from '#modules/work-orders/contract/choices.ts'

/**
 * What must hold in a company's books whatever has happened to it (C3.1, C5, C6): each query selects the rows
 * that break it. For books kept by the product's own calls: bills written past them have no months.
 */
const invariants: Readonly<Record<string, Invariant>> = {
  ...billInvariants,
  'a record adds up': ownerId => sql`
      select r.record_no as what
      from pay_record r
      where r.owner_id = ${ownerId}
        and not r.is_history
        and (
          r.record_type <> ${code(recordType, 'deposit')}
          and r.tendered_amount <> r.principal_amount + r.late_fee_amount + r.change_amount + r.to_prestore
          or r.tendered_amount - r.change_amount <> (
            select coalesce(sum(l.amount), 0)
            from pay_line l
            where l.owner_id = r.owner_id and l.record_id = r.id
          )
          or (r.principal_amount, r.late_fee_amount) <> (
            select coalesce(sum(d.principal), 0), coalesce(sum(d.late_fee), 0)
            from pay_detail d
            where d.owner_id = r.owner_id and d.record_id = r.id
          )
        )
    `,
  'what went back of a record is what its refunds say': ownerId => sql`
      select r.record_no as what
      from pay_record r
      where r.owner_id = ${ownerId}
        and r.record_type in ${codes(recordType, 'payment', 'deduction')}
        and (
          r.refunded_amount <> (
            select coalesce(-sum(n.tendered_amount), 0)
            from pay_record n
            where n.owner_id = r.owner_id
              and n.origin_record_id = r.id
              and n.state <> ${code(recordState, 'voided')}
          )
          or r.refunded_amount <> (
            select coalesce(sum(d.refunded_principal + d.refunded_late_fee), 0)
            from pay_detail d
            where d.owner_id = r.owner_id and d.record_id = r.id
          )
          or r.refunded_amount <> (
            select coalesce(sum(f.amount), 0)
            from fee_refund f
            where f.owner_id = r.owner_id and f.record_id = r.id and f.state = ${code(refundState, 'done')}
          )
          or r.refunding_amount <> (
            select coalesce(sum(f.amount), 0)
            from fee_refund f
            where f.owner_id = r.owner_id
              and f.record_id = r.id
              and f.state in ${codes(refundState, 'pending', 'approving', 'doing', 'failed')}
          )
          or r.state <> ${code(recordState, 'voided')}
          and r.state <> case
            when r.refunded_amount = 0 then 10
            when r.refunded_amount < r.tendered_amount - r.change_amount - r.to_prestore then 20
            else 30
            end
        )
    `,
  // A half that was merged back counts as its whole: its entries moved there, its details keep its number.
  'a record’s details are what it moved on bills': ownerId => sql`
    with recursive ancestor as (
      select b.id as half, b.id, b.parent_id, b.delete_tag, 0 as depth
      from bill b
      where b.owner_id = ${ownerId}
      union all
      select a.half, p.id, p.parent_id, p.delete_tag, a.depth + 1
      from ancestor a
      join bill p on p.owner_id = ${ownerId} and p.id = a.parent_id
      where a.delete_tag <> 0
    ),
      whole as (
        select distinct on (half) half, id
        from ancestor
        order by half, depth desc
      )
    select r.record_no as what
    from pay_record r
    where r.owner_id = ${ownerId}
      and r.record_type in ${codes(recordType, 'payment', 'deduction')}
      and (
        select coalesce(jsonb_object_agg(x.id, x.s order by x.id), '{}')
        from (
          select w.id, sum(d.principal) || '/' || sum(d.late_fee) as s
          from pay_detail d
          join whole w on w.half = d.bill_id
          where d.owner_id = r.owner_id and d.record_id = r.id and r.state <> ${code(recordState, 'voided')}
          group by 1
        ) x
      ) <> (
        select coalesce(jsonb_object_agg(x.id, x.s order by x.id), '{}')
        from (
          select w.id, sum(m.principal) || '/' || sum(m.late_fee) as s
          from bill_move m
          join whole w on w.half = m.bill_id
          where m.owner_id = r.owner_id and m.ref_type = 'pay' and m.ref_id = r.id
          group by 1
        ) x
      )
  `,
  'receipts have no gap': ownerId => sql`
      select c.project_code || '/' || c.year as what
      from receipt_counter c
      left join lateral (
        select count(*) as n, max(r.receipt_no) as last
        from pay_record r
        where r.owner_id = c.owner_id
          and r.project_code = c.project_code
          and r.receipt_no like c.year || '-%'
      ) r on true
      where c.owner_id = ${ownerId} and (r.n <> c.last or r.last <> c.year || '-' || lpad(c.last::text, 6, '0'))
      union all
      select r.record_no
      from pay_record r
      where r.owner_id = ${ownerId} and r.tendered_amount > 0 and r.receipt_no is null
    `,
  'an account holds what moved on it, step by step': ownerId => sql`
      select a.account_no as what
      from prestore_account a
      where a.owner_id = ${ownerId}
        and (a.balance, a.gift_balance) <> (
          select coalesce(sum(e.amount) filter (where not e.gift), 0),
            coalesce(sum(e.amount) filter (where e.gift), 0)
          from prestore_entry e
          where e.owner_id = a.owner_id and e.account_id = a.id
        )
      union all
      select 'entry ' || x.id
      from (
        select e.id, e.balance_before,
          lag(e.balance_after, 1, 0) over (partition by e.account_id, e.gift order by e.id) as was
        from prestore_entry e
        where e.owner_id = ${ownerId}
      ) x
      where x.balance_before <> x.was
    `,
  'what a record took from or put into prestore is what moved there': ownerId => sql`
      with moved as materialized (
        select e.record_id, sum(e.amount) as amount
        from prestore_entry e
        where e.owner_id = ${ownerId} and e.entry_type <> ${code(entryType, 'gift')}
        group by 1
      ),
        spent as materialized (
          select coalesce(n.origin_record_id, n.id) as record_id, sum(l.amount) as amount
          from pay_line l
          join pay_record n on n.owner_id = l.owner_id and n.id = l.record_id
          where l.owner_id = ${ownerId}
            and l.method = ${code(payMethod, 'prestore')}
            and n.state <> ${code(recordState, 'voided')}
          group by 1
        )
      select r.record_no as what
      from pay_record r
      left join moved on moved.record_id = r.id
      left join spent on spent.record_id = r.id
      where r.owner_id = ${ownerId}
        and r.record_type in ${codes(recordType, 'payment', 'prestore', 'deduction')}
        and r.origin_record_id is null
        and coalesce(moved.amount, 0) <> case
          when r.state = ${code(recordState, 'voided')} then 0
          else r.to_prestore - coalesce(spent.amount, 0)
          end
    `,
  'what became income of a deposit stands on its record (INV-2)': ownerId => sql`
      select d.deposit_no as what
      from deposit d
      join pay_record r on r.owner_id = d.owner_id and r.id = d.record_id
      where d.owner_id = ${ownerId}
        and d.delete_tag = 0
        and r.income_amount <> (
          select coalesce(-sum(e.amount), 0)
          from deposit_entry e
          where e.owner_id = d.owner_id
            and e.deposit_id = d.id
            and e.entry_type in ${codes(depositEntryType, 'deduct', 'income')}
        )
    `,
  'a deposit holds what moved on it': ownerId => sql`
      with moved as materialized (
        select e.deposit_id, sum(e.amount) as amount
        from deposit_entry e
        where e.owner_id = ${ownerId}
        group by 1
      ),
        received as materialized (
          select e.deposit_id, sum(r.tendered_amount) as amount
          from (select distinct deposit_id, record_id from deposit_entry where owner_id = ${ownerId}) e
          join pay_record r on r.owner_id = ${ownerId} and r.id = e.record_id
          group by 1
        )
      select d.deposit_no as what
      from deposit d
      left join moved on moved.deposit_id = d.id
      left join received on received.deposit_id = d.id
      where d.owner_id = ${ownerId}
        and d.delete_tag = 0
        and (
          d.balance <> coalesce(moved.amount, 0)
          or d.state <> ${code(depositState, 'waiting')}
          and not exists (
            select 1
            from pay_detail p
            where p.owner_id = d.owner_id and p.record_id = d.record_id
          )
          and d.balance <> coalesce(received.amount, 0) - d.deducted - d.converted
        )
    `,
  // A tip is received like a deposit, without one (WO-9).
  'a payment of deposits is what they received': ownerId => sql`
      select r.record_no as what
      from pay_record r
      where r.owner_id = ${ownerId}
        and r.record_type = ${code(recordType, 'deposit')}
        and r.state <> ${code(recordState, 'voided')}
        and r.tendered_amount > 0
        and not r.is_history
        and r.tendered_amount - r.change_amount <> (
          select coalesce(sum(e.amount), 0)
          from deposit_entry e
          where e.owner_id = r.owner_id
            and e.record_id = r.id
            and e.entry_type = ${code(depositEntryType, 'receive')}
        ) + (
          select coalesce(sum(t.paid_amount), 0)
          from work_order_charge t
          where t.owner_id = r.owner_id
            and t.pay_order_id = r.pay_order_id
            and t.charge_kind = ${code(chargeKind, 'reward')}
        )
    `,
  'a sheet says what its records hold': ownerId => sql`
      select h.hand_no as what
      from cashier_handover h
      where h.owner_id = ${ownerId}
        and h.state = ${code(handoverState, 'confirmed')}
        and h.total_received - h.total_refund <> (
          select coalesce(sum(l.amount), 0)
          from pay_record r
          join pay_line l on l.owner_id = r.owner_id
            and l.record_id = r.id
            and l.method <> ${code(payMethod, 'prestore')}
          where r.owner_id = h.owner_id
            and r.handover_id = h.id
            and r.state <> ${code(recordState, 'voided')}
        )
      union all
      select r.record_no
      from pay_record r
      where r.owner_id = ${ownerId}
        and r.handover_id is not null
        and not exists (
          select 1
          from cashier_handover h
          where h.owner_id = r.owner_id
            and h.id = r.handover_id
            and h.state in ${codes(handoverState, 'pending', 'confirmed')}
        )
    `,
}

/** Every invariant that does not hold, with the first rows that break it. */
export async function findViolations(db: Db, ownerId: Id): Promise<string[]> {
  const names = Object.keys(invariants)
  const found = await db.all(...names.map(n => defined(invariants[n])(ownerId)))
  return (found as { what: string }[][]).flatMap((rows, i) =>
    rows.length
      ? [
          `${names[i]}: ${rows
            .slice(0, 5)
            .map(r => r.what)
            .join(', ')}`,
        ]
      : [],
  )
}

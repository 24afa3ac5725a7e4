import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'
import type { PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { recordType, refundSubject } from '#modules/payments/contract/choices.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { entryType, ownerKind, transferState } from '../contract/choices.ts'
import { paths } from '../module.ts'

const ledger = { ground: 'law', retention: 'ledger' } as const

const ownAccounts: PeopleSql = ({ ids }) =>
  sql`(t.owner_kind = ${code(ownerKind, 'resident')} and t.owner_code = any(${ids.map(String)}::text[]))`
const ofOwnAccounts =
  (condition: (accounts: ReturnType<PeopleSql>) => ReturnType<PeopleSql>): PeopleSql =>
  people =>
    condition(sql`
      select t.id from prestore_account t where t.owner_id = ${people.ownerId} and ${ownAccounts(people)}
    `)

/** Receipts of money into the own account and out of it: they name who paid, or nobody. */
const recordsOfOwnAccounts: PeopleSql = people =>
  ofOwnAccounts(
    accounts => sql`
      (
        t.record_type = ${code(recordType, 'prestore')}
        and t.id in (
          select e.record_id
          from prestore_entry e
          where e.owner_id = ${people.ownerId}
            and e.entry_type in ${codes(entryType, 'topUp', 'refund')}
            and e.account_id in (${accounts})
        )
      )
    `,
  )(people)

registerPersonalData({
  tables: {
    prestore_account: {
      purpose: '预存账户',
      ...ledger,
      people: { resident: ownAccounts },
      columns: { owner_name: 'keptName', remark: 'text' },
      exported: ['account_no', 'owner_kind', 'owner_name', 'balance', 'gift_balance', 'state'],
    },
    prestore_entry: {
      purpose: '预存流水',
      ...ledger,
      ownWith: ['prestore_account', 'account_id'],
      columns: { operator_name: 'kept', remark: 'text' },
      exported: ['entry_type', 'amount', 'balance_after', 'entry_time', 'remark'],
    },
    prestore_transfer: {
      purpose: '预存转移',
      ...ledger,
      people: {
        resident: ofOwnAccounts(accounts => sql`(t.from_id in (${accounts}) or t.to_id in (${accounts}))`),
      },
      exported: ['transfer_no', 'from_name', 'to_name', 'amount', 'reason', 'state'],
      columns: {
        from_name: 'named',
        to_name: 'named',
        apply_name: 'kept',
        audit_name: 'kept',
        reason: 'text',
        audit_note: 'text',
      },
    },
  },
  ownRows: {
    pay_record: { resident: recordsOfOwnAccounts },
    fee_refund: {
      resident: ofOwnAccounts(
        accounts => sql`(t.subject = ${code(refundSubject, 'prestore')} and t.subject_id in (${accounts}))`,
      ),
    },
  },
  blockers: [
    {
      label: '未审核的预存转移',
      advice: '请先审核或取消',
      path: paths.accounts,
      found: {
        resident: people => sql`
          select t.transfer_no as number
          from prestore_transfer t
          where t.owner_id = ${people.ownerId}
            and ${notDeleted('t')}
            and t.state = ${code(transferState, 'pending')}
            and exists (
              select 1
              from prestore_account a
              where a.owner_id = ${people.ownerId}
                and a.id in (t.from_id, t.to_id)
                and a.owner_kind = ${code(ownerKind, 'resident')}
                and a.owner_code = any(${people.ids.map(String)}::text[])
            )
        `,
      },
    },
    {
      label: '本人的预存余额',
      advice: '请先退款或转移',
      path: paths.accounts,
      found: {
        resident: people => sql`
          select t.account_no as number
          from prestore_account t
          where t.owner_id = ${people.ownerId}
            and ${notDeleted('t')}
            and t.balance + t.gift_balance > 0
            and t.owner_kind = ${code(ownerKind, 'resident')}
            and ${ownAccounts(people)}
        `,
      },
    },
    {
      label: '有余额的房屋预存账户',
      advice: '请先退款或转移',
      path: paths.accounts,
      found: {
        // Of rooms in which nobody else lives or applies to: there the balance is the others'.
        resident: ({ ownerId, ids }) => sql`
          select a.account_no as number
          from prestore_account a
          join room r on r.owner_id = ${ownerId} and r.owner_id = a.owner_id and r.code = a.owner_code
          where a.owner_id = ${ownerId}
            and ${notDeleted('a')}
            and a.owner_kind = ${code(ownerKind, 'room')}
            and a.balance + a.gift_balance > 0
            and r.id in (
              select l.room_id
              from user_room l
              where l.owner_id = ${ownerId} and l.user_id = any(${[...ids]}::bigint[])
            )
            and not exists (
              select 1
              from user_room o
              where o.owner_id = ${ownerId}
                and o.room_id = r.id
                and ${notDeleted('o')}
                and o.status in ${codes(residencyStatus, 'pending', 'living')}
                and o.user_id <> all(${[...ids]}::bigint[])
            )
        `,
      },
    },
  ],
})

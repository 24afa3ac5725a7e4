import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'
import type { PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { code } from '#kit/server/sql.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'

/**
 * Receipts of deposits, prestored money and other income hold no number of who paid: the name, for a room of
 * the person or where nobody else is called so.
 */
const paidBy: PeopleSql = ({ ownerId, ids, names, ownNames }) => sql`
  (
    (t.payer_kind = ${code(payerSide, 'resident')} and t.payer_id = any(${[...ids]}::bigint[]))
    or (
      t.payer_id is null
      and (
        (t.build_code is null and t.payer_name = any(${[...ownNames]}::text[]))
        or (
          t.payer_name = any(${[...names]}::text[])
          and (t.project_code, t.source_name) in (
            select r.project_code, r.path
            from user_room l
            join room r on r.owner_id = ${ownerId} and r.owner_id = l.owner_id and r.id = l.room_id
            where l.owner_id = ${ownerId} and l.user_id = any(${[...ids]}::bigint[])
          )
        )
      )
    )
  )
`
const byPayer: Readonly<Record<string, PeopleSql>> = { resident: paidBy }
const ledger = { ground: 'law', retention: 'ledger' } as const

registerPersonalData({
  tables: {
    pay_record: {
      purpose: '收款与收据',
      ...ledger,
      people: byPayer,
      onlyOwnRows: true,
      columns: { payer_name: 'keptName', cashier_name: 'kept', void_reason: 'text', remark: 'text' },
      exported: [
        'record_no',
        'receipt_no',
        'record_type',
        'source_name',
        'payer_name',
        'received_amount',
        'pay_method',
        'pay_time',
        'refunded_amount',
        'state',
        'remark',
      ],
    },
    pay_order: {
      purpose: '支付订单',
      ...ledger,
      people: {
        resident: ({ ids, ownNames }) => sql`
          (
            (t.payer_kind = ${code(payerSide, 'resident')} and t.payer_id = any(${[...ids]}::bigint[]))
            or (t.payer_id is null and t.payer_name = any(${[...ownNames]}::text[]))
          )
        `,
      },
      exported: ['order_no', 'order_body', 'amount', 'pay_type', 'paid_time', 'state'],
      onlyOwnRows: true,
      columns: {
        payer_name: 'keptName',
        cashier_name: 'kept',
        order_body: 'kept',
        run_about: 'kept',
        fail_reason: 'text',
        remark: 'text',
      },
    },
    fee_refund: {
      purpose: '退款',
      ...ledger,
      people: {
        resident: people => sql`
          t.record_id in (
            select t.id from pay_record t where t.owner_id = ${people.ownerId} and ${paidBy(people)}
          )
        `,
      },
      columns: {
        payer_name: 'keptName',
        apply_name: 'kept',
        audit_name: 'kept',
        reason: 'text',
        audit_note: 'text',
        fail_reason: 'text',
      },
      exported: [
        'refund_no',
        'source_name',
        'payer_name',
        'amount',
        'refund_way',
        'reason',
        'finish_time',
        'state',
      ],
    },
    cashier_handover: {
      purpose: '交班',
      ...ledger,
      columns: { cashier_name: 'kept', confirm_name: 'kept', reject_reason: 'text', remark: 'text' },
    },
    day_close: {
      purpose: '日结',
      ...ledger,
      columns: { close_name: 'kept', open_name: 'kept', open_reason: 'text' },
    },
    pos_terminal: { purpose: '终端备注', ground: 'records', columns: { remark: 'text' } },
  },
})

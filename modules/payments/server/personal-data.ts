import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'
import type { PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { orderState, refundState } from '../contract/choices.ts'
import { paths } from '../module.ts'

/**
 * Receipts of deposits, prestored money and other income hold no number of who paid: the name, for a room of
 * the person.
 */
const paidBy: PeopleSql = ({ ownerId, ids, names }) => sql`
  (
    (t.payer_kind = ${code(payerSide, 'resident')} and t.payer_id = any(${[...ids]}::bigint[]))
    or (
      t.payer_id is null
      and t.payer_name = any(${[...names]}::text[])
      and (
        t.source_name = t.payer_name
        or (t.project_code, t.source_name) in (
          select r.project_code, r.path
          from user_room l
          join room r on r.owner_id = ${ownerId} and r.owner_id = l.owner_id and r.id = l.room_id
          where l.owner_id = ${ownerId} and l.user_id = any(${[...ids]}::bigint[])
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
      columns: {
        source_name: 'named',
        payer_name: 'keptName',
        cashier_name: 'kept',
        void_reason: 'text',
        remark: 'text',
      },
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
        resident: ({ ids }) =>
          sql`(t.payer_kind = ${code(payerSide, 'resident')} and t.payer_id = any(${[...ids]}::bigint[]))`,
      },
      exported: ['order_no', 'order_body', 'amount', 'pay_type', 'paid_time', 'state'],
      columns: {
        payer_name: 'keptName',
        cashier_name: 'kept',
        order_obj: 'named',
        order_body: 'text',
        run_about: 'text',
        fail_reason: 'text',
        remark: 'text',
      },
    },
    fee_refund: {
      purpose: '退款',
      ...ledger,
      ownWith: ['pay_record', 'record_id'],
      columns: {
        source_name: 'named',
        payer_name: 'keptName',
        apply_name: 'kept',
        audit_name: 'kept',
        reason: 'text',
        audit_note: 'text',
        fail_reason: 'text',
        return_reason: 'text',
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
    pay_detail: {
      purpose: '收款的明细',
      ...ledger,
      ownWith: ['pay_record', 'record_id'],
      columns: { source_name: 'named' },
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
  notPersonal: ['pay_order.code_url'],
  blockers: [
    {
      label: '未办结的退款',
      advice: '请先审核、完成或取消退款',
      path: paths.refunds,
      found: {
        resident: people => sql`
          select f.refund_no as number
          from fee_refund f
          where f.owner_id = ${people.ownerId}
            and ${notDeleted('f')}
            and f.state in ${codes(refundState, 'pending', 'approving', 'doing')}
            and f.record_id in (
              select t.id from pay_record t where t.owner_id = ${people.ownerId} and ${paidBy(people)}
            )
        `,
      },
    },
    {
      label: '未完成的支付订单',
      advice: '请等待支付完成，或关闭订单',
      path: paths.refunds,
      found: {
        resident: ({ ownerId, ids }) => sql`
          select order_no as number
          from pay_order
          where owner_id = ${ownerId}
            and ${notDeleted()}
            and payer_kind = ${code(payerSide, 'resident')}
            and payer_id = any(${[...ids]}::bigint[])
            and state in ${codes(orderState, 'waiting', 'paying')}
        `,
      },
    },
  ],
})

import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'
import type { PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { code } from '#kit/server/sql.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'

const byPayer: Readonly<Record<string, PeopleSql>> = {
  resident: ({ ids }) =>
    sql`(t.payer_kind = ${code(payerSide, 'resident')} and t.payer_id = any(${[...ids]}::bigint[]))`,
}
const ledger = { ground: 'law', retention: 'ledger' } as const

registerPersonalData({
  tables: {
    pay_record: {
      purpose: '收款与收据',
      ...ledger,
      people: byPayer,
      onlyOwnRows: true,
      columns: { payer_name: 'keptName', cashier_name: 'kept', void_reason: 'text', remark: 'text' },
    },
    pay_order: {
      purpose: '支付订单',
      ...ledger,
      people: byPayer,
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
        resident: ({ ownerId, ids }) => sql`
          t.record_id in (
            select r.id
            from pay_record r
            where r.owner_id = ${ownerId}
              and r.payer_kind = ${code(payerSide, 'resident')}
              and r.payer_id = any(${[...ids]}::bigint[])
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

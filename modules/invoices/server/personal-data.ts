import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'
import type { PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { code } from '#kit/server/sql.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'

const byPayer: Readonly<Record<string, PeopleSql>> = {
  resident: ({ ids }) =>
    sql`(t.payer_kind = ${code(payerSide, 'resident')} and t.payer_id = any(${[...ids]}::bigint[]))`,
}

/**
 * What was printed of the buyer is kept with the invoice's own columns; the title is for sending and
 * issuing.
 */
const titleWithoutBuyer = `jsonb_build_object('titleType', t.title -> 'titleType', 'title', '已删除')`

registerPersonalData({
  tables: {
    invoice_record: {
      purpose: '发票',
      ground: 'law',
      retention: 'ledger',
      people: byPayer,
      columns: {
        // The buyer as printed stays; where the invoice was sent does not.
        title: { becomes: titleWithoutBuyer },
        source_name: 'named',
        buyer_name: 'keptName',
        buyer_tax_no: 'keptName',
        payer_name: 'keptName',
        operator_name: 'kept',
        pdf: 'kept',
        red_reason: 'text',
        fail_reason: 'text',
        remark: 'text',
      },
      exported: [
        'serial_no',
        'invoice_no',
        'source_name',
        'payer_name',
        'buyer_name',
        'buyer_tax_no',
        'total_amount',
        'issue_time',
        'state',
      ],
    },
    invoice_part: {
      purpose: '发票的明细',
      ground: 'law',
      retention: 'ledger',
      ownWith: ['invoice_record', 'invoice_id'],
      columns: { source_name: 'named' },
    },
    invoice_title: {
      purpose: '开票抬头',
      ground: 'contract',
      isDeleted: true,
      people: byPayer,
      ownBy: ['mobile'],
      columns: {
        payer_name: 'name',
        title: 'name',
        tax_no: 'detail',
        address_phone: 'detail',
        bank_account: 'detail',
        email: 'email',
        mobile: 'mobile',
      },
      exported: [
        'payer_name',
        'title_type',
        'title',
        'tax_no',
        'address_phone',
        'bank_account',
        'email',
        'mobile',
      ],
    },
    invoice_set: {
      purpose: '开票人、收款人、复核人',
      ground: 'employment',
      columns: { drawer: 'kept', payee: 'kept', reviewer: 'kept' },
    },
  },
  notPersonal: ['invoice_set.address'],
})

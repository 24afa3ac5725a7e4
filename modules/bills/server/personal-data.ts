import { sql } from '#kit/server/db.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'
import type { PeopleSql } from '#kit/server/personal-data/declaration.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { billState, payState } from '../contract/choices.ts'
import { paths } from '../module.ts'

const byPayer: Readonly<Record<string, PeopleSql>> = {
  resident: ({ ids }) => sql`
    (
      (t.payer_kind = ${code(payerSide, 'resident')} and t.payer_id = any(${[...ids]}::bigint[]))
      or (t.source_type = ${code(sourceType, 'resident')} and t.source_code = any(${ids.map(String)}::text[]))
    )
  `,
}

/** Follow-ups name the payer alone. */
const byPayerAlone: Readonly<Record<string, PeopleSql>> = {
  resident: ({ ids }) =>
    sql`(t.payer_kind = ${code(payerSide, 'resident')} and t.payer_id = any(${[...ids]}::bigint[]))`,
}

registerPersonalData({
  tables: {
    bill: {
      purpose: '应收账款',
      ground: 'law',
      retention: 'ledger',
      people: byPayer,
      ownBy: ['payer_mobile'],
      columns: {
        source_name: 'named',
        payer_name: 'keptName',
        payer_mobile: 'mobile',
        abolish_reason: 'text',
        remark: 'text',
      },
      exported: [
        'bill_no',
        'source_name',
        'fee_item_name',
        'begin_date',
        'end_date',
        'receivable',
        'paid_principal',
        'unpaid',
        'due_date',
        'state',
        'pay_state',
        'payer_name',
        'payer_mobile',
        'remark',
      ],
    },
    bill_adjust: {
      purpose: '减免、改账的依据',
      ground: 'law',
      retention: 'ledger',
      ownWith: ['bill', 'bill_id'],
      columns: { old_value: 'text', new_value: 'text', reason: 'text' },
    },
    bill_follow_up: {
      purpose: '催缴',
      ground: 'contract',
      retention: 'reminders',
      people: byPayerAlone,
      columns: { payer_name: 'name', result: 'note', handler_name: 'kept' },
      exported: ['kind', 'effective_date', 'payer_name', 'amount', 'state', 'result'],
    },
    fee_notice: {
      purpose: '催缴',
      ground: 'contract',
      retention: 'reminders',
      people: byPayer,
      ownBy: ['payer_mobile'],
      columns: {
        source_name: 'named',
        payer_name: 'name',
        payer_mobile: 'mobile',
        content: 'note',
        fail_reason: 'note',
        remark: 'note',
      },
      exported: [
        'source_name',
        'payer_name',
        'payer_mobile',
        'total_amount',
        'channel',
        'content',
        'send_time',
        'state',
      ],
    },
    bill_run: { purpose: '生成账单的记录', ground: 'records', columns: { skips: 'text', message: 'text' } },
    share_pool: { purpose: '公摊备注', ground: 'records', columns: { remark: 'text' } },
  },
  notPersonal: ['bill.calc_snapshot'],
  blockers: [
    {
      // By the telephone alone. A bill of somebody else whose text names the person keeps from nothing.
      label: '未缴的账单',
      advice: '请先收清、作废、核销或改缴费人；不是本人的，请撤回请求，重新登记后不确认该账单',
      path: paths.unpaid,
      found: {
        anyone: ({ ownerId, numbers, confirmed }) => sql`
          select bill_no as number
          from bill
          where owner_id = ${ownerId}
            and id = any(${[...confirmed('bill')]}::bigint[])
            and payer_mobile = any(${[...numbers]}::text[])
            and ${notDeleted()}
            and state in (${code(billState, 'pending')}, ${code(billState, 'normal')})
            and pay_state = ${code(payState, 'unpaid')}
        `,
      },
    },
    {
      label: '未缴的账单',
      advice: '请先收清、作废、核销或改缴费人',
      path: paths.unpaid,
      found: {
        resident: ({ ownerId, ids }) => sql`
          select bill_no as number
          from bill
          where owner_id = ${ownerId}
            and payer_kind = ${code(payerSide, 'resident')}
            and payer_id = any(${[...ids]}::bigint[])
            and ${notDeleted()}
            and state in (${code(billState, 'pending')}, ${code(billState, 'normal')})
            and pay_state = ${code(payState, 'unpaid')}
        `,
      },
    },
  ],
  retention: [
    {
      key: 'ledger',
      label: '账簿与凭证',
      content: '账单、收款、收据、发票、退款、押金、预存；删除请求之后依法保留，自年末起',
      basis: '会计档案管理办法：会计凭证、会计账簿保管三十年',
      unit: 'year',
      initial: 30,
      min: 30,
      max: 100,
      steps: [],
    },
    {
      key: 'reminders',
      label: '催缴与跟进记录的联系人',
      content: '催缴单的姓名、手机号、内容自发出之日起；账单跟进的姓名、结果自办结之日起',
      basis: '民法典第一百八十八条：诉讼时效三年',
      unit: 'month',
      initial: 36,
      min: 6,
      max: 240,
      steps: [
        {
          table: 'fee_notice',
          clears: ['payer_name', 'payer_mobile', 'content'],
          due: ({ before }) => sql`
            t.create_time < ${before} and (t.payer_mobile is not null or t.payer_name is not null or t.content <> '')
          `,
        },
        {
          table: 'bill_follow_up',
          clears: ['payer_name', 'result'],
          due: ({ before }) => sql`
            t.handle_time < ${before} and (t.payer_name is not null or t.result is not null)
          `,
        },
      ],
    },
  ],
})

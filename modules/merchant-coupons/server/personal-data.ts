import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { registerPersonalData } from '#kit/server/personal-data/registry.ts'
import { ticketState } from '../contract/choices.ts'

registerPersonalData({
  tables: {
    merchant_parking_coupon: { purpose: '停车券的备注', ground: 'records', columns: { remark: 'text' } },
    merchant_order: {
      purpose: '商户购券的经办人',
      ground: 'law',
      columns: { operator_name: 'kept', reason: 'note', remark: 'note' },
    },
    merchant_order_return: {
      purpose: '商户退券的经办人',
      ground: 'law',
      columns: { operator_name: 'kept', reason: 'note' },
    },
    merchant_parking_record: {
      purpose: '停车券库存变动的操作人',
      ground: 'records',
      columns: { operator_name: 'name' },
    },
    merchant_parking_ticket: {
      purpose: '停车券：发放给何车、何时使用',
      ground: 'contract',
      retention: 'merchantTickets',
      columns: { plate_no: 'detail', operator_name: 'name', withdraw_reason: 'text' },
    },
  },
  // Names and numbers of coupons.
  notPersonal: ['merchant_order_return.content'],
  retention: [
    {
      key: 'merchantTickets',
      label: '停车券发放记录',
      content: '领取停车券的车牌与时间，自最后变动之日起',
      basis: '与商户的结算期满后不再需要',
      unit: 'day',
      initial: 730,
      min: 90,
      max: 1100,
      steps: [
        {
          table: 'merchant_parking_ticket',
          due: ({ before }) => sql`t.update_time < ${before} and t.state <> ${code(ticketState, 'unused')}`,
        },
      ],
    },
  ],
})

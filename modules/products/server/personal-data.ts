import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    product_order: {
      purpose: '产品订购的经办人',
      ground: 'law',
      retention: 'ledger',
      columns: { operator_name: 'kept', cancel_reason: 'text' },
    },
    account_entry: {
      purpose: '公司账户流水',
      ground: 'law',
      retention: 'ledger',
      columns: { remark: 'text' },
    },
    call_seat: { purpose: '坐席备注', ground: 'records', columns: { remark: 'text' } },
    increment_node: { purpose: '产品订购备注', ground: 'records', columns: { remark: 'text' } },
  },
})

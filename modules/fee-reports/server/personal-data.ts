import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    fc_summary: {
      purpose: '收款日汇总的收款人',
      ground: 'law',
      retention: 'ledger',
      columns: { cashier_name: 'kept' },
    },
  },
})

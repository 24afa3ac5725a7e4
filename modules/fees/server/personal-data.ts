import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    fee_relation: {
      purpose: '收费关系',
      ground: 'contract',
      columns: { stop_reason: 'text', remark: 'text' },
    },
  },
  notPersonal: [
    'fee_formula.remark',
    'fee_item.remark',
    'fee_package.remark',
    'fee_standard.remark',
    'fee_standard_version.reason',
  ],
})

import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

const ledger = { ground: 'law', retention: 'ledger' } as const

registerPersonalData({
  tables: {
    channel_bill: { purpose: '对账', ...ledger, columns: { operator_name: 'kept', fail_reason: 'text' } },
    reconcile_item: {
      purpose: '对账差异',
      ...ledger,
      columns: { source_name: 'named', handler_name: 'kept', handle_note: 'text' },
    },
  },
})

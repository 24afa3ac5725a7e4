import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    parking_host_fee: {
      purpose: '被访人承担的停车费：哪辆车',
      ground: 'law',
      columns: { plate_no: 'kept' },
    },
  },
})

import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    park: { purpose: '车场备注', ground: 'records', columns: { remark: 'text' } },
    park_place: { purpose: '车位备注', ground: 'contract', columns: { remark: 'text' } },
  },
})

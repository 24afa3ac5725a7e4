import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    room_inspection: {
      purpose: '验房与交付的凭据',
      ground: 'contract',
      columns: { owner_name: 'name', signature: 'kept', remark: 'text' },
    },
    inspection_check: {
      purpose: '每次查验的在场人与签名',
      ground: 'contract',
      columns: { owner_name: 'name', signature: 'kept', problems: 'text', remark: 'text', photos: 'kept' },
    },
    inspection_finding: {
      purpose: '查验问题',
      ground: 'contract',
      columns: { problem: 'text', photos: 'kept' },
    },
  },
})

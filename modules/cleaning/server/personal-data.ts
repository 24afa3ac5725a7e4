import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    cleaning_location: { purpose: '保洁位置备注', ground: 'records', columns: { remark: 'text' } },
  },
  notPersonal: ['cleaning_template.remark'],
})

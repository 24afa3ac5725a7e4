import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    meter: { purpose: '仪表备注', ground: 'contract', columns: { source_name: 'named', remark: 'text' } },
    meter_plan: { purpose: '抄表计划备注', ground: 'contract', columns: { remark: 'text' } },
    meter_reading: { purpose: '抄表备注', ground: 'contract', columns: { remark: 'text' } },
    meter_replace: { purpose: '换表原因', ground: 'contract', columns: { reason: 'text' } },
    meter_unread: { purpose: '未抄原因', ground: 'contract', columns: { remark: 'text' } },
  },
  notPersonal: ['meter_reading.photo'],
})

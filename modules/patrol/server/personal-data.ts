import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    patrol_point: { purpose: '点位备注', ground: 'records', columns: { remark: 'text' } },
    patrol_device: { purpose: '设备备注', ground: 'records', columns: { remark: 'text' } },
  },
  notPersonal: ['patrol_point.photo', 'patrol_area.drawing'],
})

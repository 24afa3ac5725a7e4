import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    green_area: { purpose: '绿化区域备注', ground: 'records', columns: { remark: 'text' } },
  },
  notPersonal: ['green_area.photos', 'green_template.remark', 'plant.care_notes', 'plant.photos'],
})

import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    estate: {
      purpose: '项目负责人、告警接收人',
      ground: 'employment',
      columns: {
        manager: 'name',
        manager_phone: 'mobile',
        alarm_phone: 'text',
        alarm_email: 'text',
        service_phone: 'mobile',
      },
    },
    building: { purpose: '楼栋备注', ground: 'records', columns: { remark: 'text' } },
    public_area: { purpose: '公共区域备注', ground: 'records', columns: { remark: 'text' } },
    estate_setting: { purpose: '项目参数', ground: 'records', columns: { value: 'text' } },
  },
  notPersonal: ['estate.address', 'estate.logo', 'public_area.photos'],
})

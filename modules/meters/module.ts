import { menus, defineModule } from '#kit/contract/module.ts'

/** The addresses of the module's screens. */
export const paths = {
  meterReading: '/intelligentMeter',
  readings: '/intelligentMeter/checkmeter',
  records: '/intelligentMeter/checkmeter/records',
  smart: '/intelligentMeter/checkmeter/autocheckmeter',
  plans: '/intelligentMeter/plan',
  report: '/intelligentMeter/report',
  management: '/intelligence/metermanage',
  meters: '/intelligence/metermanage/metermanage',
  phoneReading: '/intelligentMeter/checkmeter/mobilemeterreading',
} as const

export const menu = menus('meters', {
  meter: {
    label: '仪表',
    buttons: {
      import: '导入',
      export: '导出',
      replace: '换表',
      standard: '设置收费标准',
      label: '打印二维码',
    },
  },
  plan: { label: '抄表计划' },
  reading: {
    label: '抄表',
    buttons: { import: '导入', export: '导出', confirm: '确认异常', clear: '清除月份', phone: '手机抄表' },
  },
})

export const manifest = defineModule({
  name: 'meters',
  label: '仪表与抄表',
  menus: menu,
  screens: [
    {
      path: paths.meterReading,
      title: '智能抄表',
      needs: menu.reading.permissions.view,
      redirectTo: paths.readings,
    },
    {
      path: paths.readings,
      title: '抄表',
      needs: menu.reading.permissions.view,
      section: 'fee',
      group: '仪表与抄表',
    },
    {
      path: paths.records,
      title: '抄表记录',
      needs: menu.reading.permissions.view,
      section: 'fee',
      group: '仪表与抄表',
      allProjects: true,
    },
    {
      path: paths.smart,
      title: '自动抄表',
      needs: menu.reading.permissions.view,
      section: 'fee',
      group: '仪表与抄表',
      allProjects: true,
    },
    {
      path: paths.plans,
      title: '抄表计划',
      needs: menu.plan.permissions.view,
      section: 'fee',
      group: '仪表与抄表',
      allProjects: true,
    },
    {
      path: paths.report,
      title: '用量与损耗',
      needs: menu.reading.permissions.view,
      section: 'fee',
      group: '仪表与抄表',
    },
    {
      path: paths.management,
      title: '仪表管理',
      needs: menu.meter.permissions.view,
      redirectTo: paths.meters,
    },
    {
      path: paths.meters,
      title: '仪表',
      needs: menu.meter.permissions.view,
      section: 'fee',
      group: '仪表与抄表',
      allProjects: true,
    },
    {
      path: paths.phoneReading,
      title: '手机抄表',
      needs: menu.reading.permissions.phone,
      section: 'fee',
      group: '仪表与抄表',
      standalone: true,
    },
  ],
})

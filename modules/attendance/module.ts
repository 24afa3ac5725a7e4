import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('attendance', {
  record: {
    label: '考勤记录',
    buttons: { correct: '修改结果', close: '封存月份', import: '导入', export: '导出' },
  },
  log: { label: '打卡记录', buttons: { import: '导入', export: '导出' } },
  apply: { label: '考勤单据' },
  schedule: { label: '排班', buttons: { import: '导入' } },
  shift: { label: '班次' },
  group: { label: '考勤组' },
  device: { label: '考勤设备' },
  exempt: { label: '免考勤人员' },
})

const home = '/internal/attendance'

export const paths = {
  home,
  daily: `${home}/daily`,
  account: `${home}/account`,
  monthly: `${home}/monthlysummary`,
  anomalies: `${home}/anomalystatistics`,
  statistics: `${home}/attendancestatistics`,
  logs: `${home}/originalrecord`,
  schedule: `${home}/personban`,
  adjust: `${home}/adjust`,
  shifts: `${home}/classmanagement`,
  setting: `${home}/setting`,
  unit: `${home}/unit`,
  devices: `${home}/equipment`,
  exempt: `${home}/exempt`,
  applications: `${home}/applications`,
  /** What staff ask for themselves: leave, a mended punch and the like. */
  ownApplications: `${home}/requests`,
  /** The own attendance on the phone; outside the shell. */
  phone: `${home}/own`,
} as const

const inMenu = { section: 'internal', allProjects: true } as const
const group = { ...inMenu, group: '考勤' } as const
const schedules = { ...inMenu, group: '排班' } as const
const settings = { ...inMenu, group: '考勤设置' } as const
const approvals = { ...inMenu, group: '审批' } as const
const { record, log, apply, schedule, shift, group: groupMenu, device, exempt } = menu

export const manifest = defineModule({
  name: 'attendance',
  label: '考勤',
  menus: menu,
  screens: [
    { path: paths.home, title: '考勤管理', needs: record.permissions.view, redirectTo: paths.daily },
    { path: paths.daily, title: '每日考勤', needs: record.permissions.view, ...group },
    { path: paths.account, title: '考勤台账', needs: record.permissions.view, ...group },
    { path: paths.monthly, title: '月度汇总', needs: record.permissions.view, ...group },
    { path: paths.anomalies, title: '异常统计', needs: record.permissions.view, ...group },
    { path: paths.statistics, title: '考勤统计', needs: record.permissions.view, ...group },
    { path: paths.logs, title: '原始记录', needs: log.permissions.view, ...group },
    { path: paths.applications, title: '考勤单据', needs: apply.permissions.view, ...group },
    { path: paths.schedule, title: '人员排班', needs: schedule.permissions.view, ...schedules },
    { path: paths.adjust, title: '调班调休', needs: apply.permissions.view, ...schedules },
    { path: paths.shifts, title: '班次管理', needs: shift.permissions.view, ...schedules },
    { path: paths.setting, title: '考勤设置', needs: groupMenu.permissions.view, ...settings },
    { path: paths.unit, title: '考勤单元', needs: groupMenu.permissions.view, ...settings },
    { path: paths.devices, title: '考勤设备', needs: device.permissions.view, ...settings },
    { path: paths.exempt, title: '免考勤人员', needs: exempt.permissions.view, ...settings },
    { path: paths.ownApplications, title: '考勤申请', needs: undefined, ...approvals },
    { path: paths.phone, title: '手机打卡', needs: undefined, standalone: true },
  ],
})

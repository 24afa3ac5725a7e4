import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('elevators', {
  elevator: { label: '电梯管理', buttons: { device: '绑定梯控设备', state: '变更状态', export: '导出' } },
  maintenance: { label: '电梯维保', buttons: { export: '导出' } },
  right: { label: '梯控权限', buttons: { reach: '查看楼层权限', export: '导出' } },
  setting: { label: '梯控设置' },
  record: { label: '呼梯记录', buttons: { export: '导出' } },
  remote: { label: '远程梯控', buttons: { send: '远程呼梯' } },
  alarm: { label: '困人报警', buttons: { handle: '处理报警', export: '导出' } },
})

const home = '/intelligence/laddercontrolmanagement'
const lifts = `${home}/elevatorManage`

export const paths = {
  home,
  elevators: lifts,
  elevatorAdd: `${lifts}/elevatorAdd`,
  maintenance: `${lifts}/elevatorProList`,
  maintenanceAdd: `${lifts}/elevatorProAdd`,
  /** Rights to floors, and busy times. */
  setup: `${home}/laddercontrolsetting`,
  records: `${home}/laddercontrolnote`,
  remote: `${home}/laddercontrolremote`,
  alarms: `${home}/elevatorAlarm`,
  floors: '/intelligence/specialEquipment/floorControl',
} as const

const inGroup = { section: 'device', group: '电梯', allProjects: true } as const
const { elevator, maintenance, right, setting, record, remote, alarm } = menu

export const manifest = defineModule({
  name: 'elevators',
  label: '电梯',
  menus: menu,
  screens: [
    { path: paths.home, title: '梯控管理', needs: elevator.permissions.view, redirectTo: paths.elevators },
    { path: paths.elevators, title: '电梯管理', needs: elevator.permissions.view, ...inGroup },
    { path: paths.elevatorAdd, title: '新增电梯', needs: elevator.permissions.add },
    {
      path: paths.maintenance,
      title: '电梯维保',
      needs: maintenance.permissions.view,
      keywords: ['年检'],
      ...inGroup,
    },
    {
      path: paths.maintenanceAdd,
      title: '新增电梯维保',
      needs: maintenance.permissions.add,
    },
    {
      path: paths.setup,
      title: '梯控设置',
      needs: right.permissions.view,
      keywords: ['梯控权限', '繁忙时段'],
      ...inGroup,
    },
    { path: paths.floors, title: '楼层控制', needs: setting.permissions.view, ...inGroup },
    {
      path: paths.records,
      title: '梯控记录',
      needs: record.permissions.view,
      keywords: ['呼梯记录'],
      ...inGroup,
    },
    { path: paths.remote, title: '远程梯控', needs: remote.permissions.view, ...inGroup },
    { path: paths.alarms, title: '困人报警', needs: alarm.permissions.view, ...inGroup },
  ],
})

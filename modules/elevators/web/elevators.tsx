import { navigateTo } from '#kit/web/navigation.ts'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { Status } from '#kit/web/status.tsx'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'
import {
  bindElevatorDevice,
  changeElevatorState,
  elevators,
  exportElevators,
  type Elevator,
} from '../contract/elevator.ts'
import { menu, paths } from '../module.ts'
import { LiftDeviceSelect } from './lift-device-select.tsx'

const LiftRights = lazyComponent(() => import('./lift-rights.tsx').then(m => m.LiftRights))
const LiftMaintenance = lazyComponent(() => import('./maintenance.tsx').then(m => m.LiftMaintenance))
const LiftCalls = lazyComponent(() => import('./call-records.tsx').then(m => m.LiftCalls))

const liveDevices = { topic: 'devices', kind: 'devices', pauseMs: 3000 }

const onlineText = ({ isOnline }: Pick<Elevator, 'isOnline'>): string => {
  if (isOnline === undefined) return '--'
  return isOnline ? '在线' : '离线'
}

const OnlineCell = (lift: Pick<Elevator, 'isOnline'>) =>
  lift.isOnline === undefined ? (
    '--'
  ) : (
    <Status tone={lift.isOnline ? 'done' : 'bad'} plain>
      {onlineText(lift)}
    </Status>
  )

const states = ['running', 'stopped', 'repair'] as const

/** 电梯管理: lifts, their devices, what is due, who may go where. */
export const pages = crudPages(elevators, {
  export: exportElevators,
  paths: { list: paths.elevators, add: paths.elevatorAdd },
  unit: '部电梯',
  deletion: {
    consequences: ['有梯控设备、梯控权限、维保记录或困人报警的电梯不能删除；不再使用请停用'],
    reasons: ['录入有误', '已拆除'],
  },
  columns: [
    { key: 'name', identity: true, grow: 2 },
    { key: 'elevatorNo', hidePriority: 3 },
    { key: 'buildName', hidePriority: 1 },
    { key: 'unitName', hidePriority: 2 },
    { key: 'floors', hidePriority: 3, width: 110 },
    { key: 'nextMaintainDate', hidePriority: 1 },
    { key: 'nextInspectDate', hidePriority: 1 },
    { key: 'deviceName', hidePriority: 2 },
    { key: 'isOnline', text: onlineText, render: OnlineCell },
    { key: 'unsyncedCount', hidePriority: 3, wideOnly: true },
    { key: 'missingReason', hidePriority: 4, wideOnly: true },
    'state',
  ],
  form: {
    opensNew: false,
    groups: [
      {
        title: '基本信息',
        keys: ['name', 'elevatorNo', 'buildCode', 'unitName', 'floors', 'registerCode'],
      },
      { title: '设备', keys: ['brand', 'model', 'loadKg', 'factoryDate', 'useDate'] },
      {
        title: '年检与维保',
        keys: [
          'lastInspectDate',
          'nextInspectDate',
          'maintainCycle',
          'maintainFirm',
          'maintainPhone',
          'rescuePhone',
        ],
      },
      { title: '其他', keys: [{ key: 'remark', wide: true }] },
    ],
  },
  list: {
    barFilters: ['buildCode', 'state'],
    keywordPlaceholder: '名称、编号、注册代码',
    views: [
      { id: '', name: '全部', filter: {} },
      { id: 'inspect', name: '30 天内年检', filter: { inspectDue: true } },
      { id: 'maintain', name: '维保到期', filter: { maintainDue: true } },
    ],
    isDimmed: lift => lift.state === 'stopped',
  },
  drawer: { width: 880 },
  tabs: [
    {
      key: 'rights',
      label: '楼层权限',
      needs: menu.right.permissions.reach,
      inDrawer: true,
      body: lift => <LiftRights lift={lift} />,
    },
    {
      key: 'maintenance',
      label: '维保',
      needs: menu.maintenance.permissions.view,
      inDrawer: true,
      body: lift => <LiftMaintenance lift={lift} />,
    },
    {
      key: 'calls',
      label: '呼梯记录',
      needs: menu.record.permissions.view,
      inDrawer: true,
      body: lift => <LiftCalls lift={lift} />,
    },
  ],
  actions: [
    {
      label: '绑定梯控设备',
      call: bindElevatorDevice,
      keys: [{ key: 'deviceId', control: LiftDeviceSelect, wide: true }],
      initial: lift => ({ deviceId: lift?.deviceId, projectCode: lift?.projectCode }),
    },
    {
      label: '变更状态',
      call: changeElevatorState,
      keys: ['state', 'reason'],
      disabledReason: lift => (lift.state === 'trapped' ? '请先在「困人报警」中解除' : undefined),
      initial: lift => ({ state: states.find(state => state !== lift?.state) }),
    },
    {
      label: '登记维保',
      needs: menu.maintenance.permissions.add,
      run: lift => navigateTo(`${paths.maintenanceAdd}?elevatorId=${lift.id}`),
    },
  ],
  useExtras: () => {
    useLiveRefetch(liveDevices, [elevators.list])
    return {}
  },
})

import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('devices', {
  gateway: { label: '网关管理', buttons: { pair: '配对', revoke: '吊销' } },
  device: {
    label: '设备管理',
    buttons: {
      replace: '更换设备',
      resend: '重新下发',
      fault: '处理故障',
      event: '重新处理事件',
      exportEvents: '导出事件',
    },
  },
  model: { label: '设备型号' },
  watchdog: { label: '看门狗' },
  /** To send at all, and one button for each command (RMT-2). */
  command: {
    label: '远程指令',
    sensitive: true,
    buttons: {
      send: '发送指令',
      listProcesses: '查看进程',
      killProcess: '结束进程',
      listServices: '查看服务',
      startService: '启动服务',
      stopService: '停止服务',
      restartService: '重启服务',
      runFile: '运行文件',
      deleteFile: '删除文件',
      listDirectory: '查看目录',
      restartMachine: '重启机器',
      runShell: '执行命令',
      pushFile: '推送文件',
      pushKernel: '推送内核',
      pushPackage: '推送接口包',
      updateAgent: '升级网关程序',
      device: '控制设备',
    },
  },
  security: { label: '设备安全' },
})

export const paths = {
  devices: '/wisdom/devlist',
  management: '/wisdom/devmgr',
  detail: '/wisdom/devdetail',
  editor: '/wisdom/deveditor',
  health: '/wisdom/devicehealthy',
  security: '/wisdom/security',
  tasks: '/wisdom/devtask',
  models: '/wisdom/devmodel',
  gateways: '/intelligence/specialEquipment/equipment',
  gatewayDetail: '/intelligence/specialEquipment/equipment/terminalDetail',
  gatewayManagement: '/intelligence/specialEquipment/terminal',
  watchdogs: '/intelligence/specialEquipment/watchdog',
  watchdogAdd: '/intelligence/specialEquipment/watchdog/addDevice',
  watchdogEdit: '/intelligence/specialEquipment/watchdog/editDevice',
  watchdogDetail: '/intelligence/specialEquipment/watchdog/lookDevice',
} as const

const inSection = { section: 'device', allProjects: true } as const
const { view: viewDevices } = menu.device.permissions
const { view: viewGateways } = menu.gateway.permissions
const { view: viewWatchdogs } = menu.watchdog.permissions

export const manifest = defineModule({
  name: 'devices',
  label: '设备',
  menus: menu,
  screens: [
    { path: paths.devices, title: '设备列表', needs: viewDevices, group: '设备', ...inSection },
    { path: paths.health, title: '设备健康', needs: viewDevices, group: '设备', ...inSection },
    {
      path: paths.tasks,
      title: '远程任务',
      needs: menu.command.permissions.view,
      group: '设备',
      ...inSection,
    },
    { path: paths.management, title: '设备管理', needs: viewDevices, group: '设备', ...inSection },
    {
      path: paths.models,
      title: '设备型号',
      needs: menu.model.permissions.view,
      group: '设备',
      ...inSection,
    },
    {
      path: paths.security,
      title: '安全管理',
      needs: menu.security.permissions.view,
      group: '设备',
      keywords: ['设备安全'],
      ...inSection,
    },
    { path: paths.detail, title: '设备详情', needs: viewDevices, ...inSection },
    { path: paths.editor, title: '设备编辑', needs: menu.device.permissions.edit, ...inSection },
    {
      path: '/intelligence/specialEquipment',
      title: '专用设备',
      needs: viewGateways,
      redirectTo: paths.gateways,
    },
    // A gateway is what others call a terminal.
    {
      path: paths.gateways,
      title: '现场网关',
      needs: viewGateways,
      group: '网关',
      keywords: ['终端设备'],
      ...inSection,
    },
    { path: paths.gatewayDetail, title: '网关详情', needs: viewGateways, allProjects: true },
    {
      path: paths.gatewayManagement,
      title: '网关管理',
      needs: viewGateways,
      group: '网关',
      keywords: ['终端管理'],
      ...inSection,
    },
    { path: paths.watchdogs, title: '看门狗设备', needs: viewWatchdogs, group: '网关', ...inSection },
    { path: paths.watchdogAdd, title: '新增看门狗设备', needs: menu.watchdog.permissions.add },
    {
      path: paths.watchdogEdit,
      title: '编辑看门狗设备',
      needs: menu.watchdog.permissions.edit,
      allProjects: true,
    },
    { path: paths.watchdogDetail, title: '查看看门狗设备', needs: viewWatchdogs, allProjects: true },
    // The same screens under the second parent.
    { path: '/intelligence/devlist', title: '设备列表', needs: viewDevices, ...inSection },
    { path: '/intelligence/devicehealthy', title: '设备健康', needs: viewDevices, ...inSection },
    { path: '/intelligence/devmgr', title: '设备管理', needs: viewDevices, ...inSection },
    {
      path: '/intelligence/security',
      title: '安全管理',
      needs: menu.security.permissions.view,
      ...inSection,
    },
    { path: '/intelligence/devdetail', title: '设备详情', needs: viewDevices, ...inSection },
    {
      path: '/intelligence/deveditor',
      title: '设备编辑',
      needs: menu.device.permissions.edit,
      ...inSection,
    },
  ],
})

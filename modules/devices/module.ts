import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('devices', {
  gateway: { label: '网关管理', buttons: { pair: '配对', revoke: '吊销' } },
  device: {
    label: '设备管理',
    buttons: { replace: '更换设备', resend: '重新下发', fault: '处理故障', event: '重新处理事件' },
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

export const manifest = defineModule({
  name: 'devices',
  label: '设备',
  menus: menu,
  screens: [],
})

/** What the kinds of devices are called that the product knows by their code; others are called by it. */
const labels: Readonly<Record<string, string>> = {
  access: '门禁',
  lane: '车道',
  lock: '门锁',
  intercom: '可视对讲',
  pump: '水泵',
  lift: '电梯',
  meter: '仪表',
  camera: '摄像机',
  controller: '控制器',
  watchdog: '看门狗',
}

export const deviceTypeText = (code: string | undefined): string | undefined =>
  code === undefined ? undefined : (labels[code.toLowerCase()] ?? code)

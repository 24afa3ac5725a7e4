/** What people call the drivers that the product brings; others are called as the gateway program does. */
const driverNames: Readonly<Record<string, string>> = {
  simulator: '模拟设备',
  isapi: '门禁控制器（ISAPI）',
  doorwaySimulator: '模拟门禁控制器',
  watchdog: '模拟看门狗',
}

export const driverText = (driver: string): string => driverNames[driver] ?? driver

const browsers: readonly [RegExp, string][] = [
  [/MicroMessenger/, '微信'],
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Chrome\//, 'Chrome'],
  [/Firefox\//, 'Firefox'],
  [/Safari\//, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'Mac'],
  [/Linux/, 'Linux'],
]

/** `Edge · Windows`: a browser's long name in two words. */
export function formatDeviceName(agent: string | undefined): string {
  const b = browsers.find(([r]) => r.test(agent ?? ''))?.[1]
  const s = systems.find(([r]) => r.test(agent ?? ''))?.[1]
  return [b, s].filter(Boolean).join(' · ') || '未知设备'
}

const units = ['KB', 'MB', 'GB'] as const

/** 0§9: in KB, MB or GB with three decimals; `未知大小` where it is not known. */
export function formatFileSize(bytes: number | undefined): string {
  if (bytes === undefined) return '未知大小'
  let value = bytes / 1024
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value.toFixed(3)} ${units[unit]}`
}

/** `2 小时 5 分`; nothing where nobody left. */
export function durationText(minutes: number | undefined): string {
  if (minutes === undefined) return '—'
  const hours = Math.floor(minutes / 60)
  return hours ? `${hours} 小时 ${minutes % 60} 分` : `${minutes} 分`
}

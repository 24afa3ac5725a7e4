const minutesOfHour = 60

/** `1 小时 5 分`. */
export function minutesText(minutes: number): string {
  const hours = Math.floor(minutes / minutesOfHour)
  return hours ? `${hours} 小时 ${minutes % minutesOfHour} 分` : `${minutes} 分`
}

import type { Tone } from '#kit/contract/field.ts'

const minutesPerHour = 60
const minutesPerDay = 24 * 60

/** `3 天 2 小时`, `1 小时 5 分`, `12 分`: the two largest units. */
export function formatMinutes(minutes: number): string {
  const total = Math.max(0, Math.floor(minutes))
  const days = Math.floor(total / minutesPerDay)
  const hours = Math.floor((total % minutesPerDay) / minutesPerHour)
  const rest = total % minutesPerHour
  if (days) return hours ? `${days} 天 ${hours} 小时` : `${days} 天`
  if (hours) return rest ? `${hours} 小时 ${rest} 分` : `${hours} 小时`
  return `${rest} 分`
}

/** Below it a running deadline is shown as close, where a list does not know how long the stage is. */
const closeMinutes = 60

/** The time until a deadline as text, and its urgency: crossed, close or enough. */
export function describeTimeLeft(minutesLeft: number): { readonly text: string; readonly tone: Tone } {
  if (minutesLeft < 0) return { text: `超时 ${formatMinutes(-minutesLeft)}`, tone: 'bad' }
  return {
    text: `剩 ${formatMinutes(minutesLeft)}`,
    tone: minutesLeft <= closeMinutes ? 'todo' : 'open',
  }
}

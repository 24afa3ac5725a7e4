import { binDays } from '../contract/limits.ts'

const secondsOfDay = 86_400
const binSeconds = binDays * secondsOfDay

/** Whole seconds until a record in the bin is purged, by the seconds since it was deleted; 0 at the end. */
export const remainingSeconds = (secondsSinceDeletion: number): number =>
  Math.max(0, Math.floor(binSeconds - secondsSinceDeletion))

/**
 * FILE-5: whole days from one day on, below it hours, minutes and seconds, `已过有效期` at the end. Shown by
 * screens from the seconds that the server answered.
 */
export function remainingText(seconds: number): string {
  if (seconds <= 0) return '已过有效期'
  if (seconds >= secondsOfDay) return `${Math.floor(seconds / secondsOfDay)} 天`
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  return `${hours} 小时 ${minutes} 分 ${Math.floor(seconds % 60)} 秒`
}

import { maxDay, type Day } from '#kit/domain/day.ts'

/** From one day to another, both included; without an end it runs on. */
export interface RoomStay {
  readonly beginDate: Day
  readonly endDate?: Day | undefined
}

export const staysOverlap = (a: RoomStay, b: RoomStay): boolean =>
  a.beginDate <= (b.endDate ?? maxDay) && (a.endDate ?? maxDay) >= b.beginDate

/** `2026-03-01 至 今` */
export const stayText = ({ beginDate, endDate }: RoomStay): string => `${beginDate} 至 ${endDate ?? '今'}`

import type { ChoiceOf } from '#kit/contract/field.ts'
import { firstOfMonth, lastOfMonth, type Day } from '#kit/domain/day.ts'
import type { accountType } from '../contract/choices.ts'

export interface MassQuota {
  /** Mass messages that one follower may get within the period. */
  readonly perFollower: number
  /** Both days included. */
  readonly from: Day
  readonly to: Day
  readonly label: string
}

/** The platform's limits: four a month for a service account, one a day for a subscription account. */
export function massQuotaOf(type: ChoiceOf<typeof accountType>, today: Day): MassQuota {
  if (type === 'subscription') return { perFollower: 1, from: today, to: today, label: '今天' }
  return { perFollower: 4, from: firstOfMonth(today), to: lastOfMonth(today), label: '本月' }
}

/** What an open list of `touser` takes at the platform. */
export const minMassReceivers = 2
export const massBatchSize = 1000

import type { Id } from '#kit/domain/id.ts'
import type { Activity } from '../contract/activity.ts'
import { fittingHome, type AskedHome } from './audience.ts'

/** Somebody in the queue, with the homes that they have now. */
export interface Waiting {
  readonly id: Id
  readonly userId: Id
  readonly personCount: number
  readonly roomId?: Id | undefined
  readonly homes: readonly AskedHome[]
}

export interface MoveUpPlan {
  /** Each with the room that is theirs now. */
  readonly moved: readonly Omit<Waiting, 'homes'>[]
  /** Who does not belong there any more, with the reason. */
  readonly ended: readonly (Omit<Waiting, 'homes'> & { readonly reason: string; readonly hasLeft: boolean })[]
}

type Queued = Pick<Activity, 'projectCode' | 'buildCodes' | 'relations' | 'fee' | 'quota' | 'signCount'>

function endOf(of: Queued, { homes, roomId }: Waiting) {
  const here = homes.filter(({ projectCode }) => projectCode === of.projectCode)
  // Who signed up with a room and works there still has left it.
  const hasLeft = roomId === undefined ? !here.length : here.every(home => home.roomId === undefined)
  return { hasLeft, reason: hasLeft ? '已迁出' : '已不在活动的参加范围内' }
}

/**
 * Who moves up, in the order of `queue`: as many as there are places for. The first whose persons do not fit
 * stops those behind; who has moved out, or is not of the audience any more, stops nobody and waits no more.
 */
export function planMoveUp(of: Queued, queue: readonly Waiting[]): MoveUpPlan {
  const moved: MoveUpPlan['moved'][number][] = []
  const ended: MoveUpPlan['ended'][number][] = []
  let free = of.quota === 0 ? Infinity : of.quota - of.signCount
  let isStopped = false
  for (const waiting of queue) {
    const { homes, ...sign } = waiting
    const home = fittingHome(of, homes, sign.roomId)
    if (!home) {
      ended.push({ ...sign, ...endOf(of, waiting) })
      continue
    }
    isStopped ||= sign.personCount > free
    if (isStopped) continue
    free -= sign.personCount
    moved.push({ ...sign, roomId: home.roomId })
  }
  return { moved, ended }
}

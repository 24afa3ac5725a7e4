import type { Moment } from '#kit/domain/moment.ts'

/** One stay of a car of a group in the group's car parks. */
export interface GroupStay {
  readonly plateNo: string
  readonly inTime: Moment
  /** Absent while it is inside. */
  readonly outTime?: Moment | undefined
}

/** From when a stay is on the month right; absent: it pays as a temporary one throughout. */
export interface GroupRight extends GroupStay {
  readonly rightFrom?: Moment | undefined
}

interface Waiting {
  readonly index: number
}

/**
 * Whole days at once, for tests of what lanes decide one passage after the other. PRK-6: of the cars of a
 * group that are inside, at most as many as it has places are on the month right. A car that comes while all
 * are taken pays as a temporary one; with `switchesOnLeave` the one that has waited longest gets the right
 * the moment another leaves. A car that leaves and one that comes in the same moment: the place is free.
 */
export function decideGroupRights(
  stays: readonly GroupStay[],
  placeCount: number,
  switchesOnLeave: boolean,
): GroupRight[] {
  const rights: (Moment | undefined)[] = stays.map(() => undefined)
  const order = stays.map((stay, index) => ({ stay, index }))
  const entries = order.toSorted((a, b) => compare(a.stay.inTime, b.stay.inTime) || a.index - b.index)
  let holders: { readonly index: number; readonly outTime: Moment | undefined }[] = []
  let waiting: Waiting[] = []
  const leaveUntil = (time: Moment | undefined): void => {
    for (;;) {
      const [next] = holders
        .filter(({ outTime }) => outTime !== undefined && (time === undefined || outTime <= time))
        .toSorted((a, b) => compare(a.outTime ?? '', b.outTime ?? '') || a.index - b.index)
      if (!next) return
      holders = holders.filter(holder => holder !== next)
      promote(next.outTime)
    }
  }
  const promote = (at: Moment | undefined): void => {
    if (!switchesOnLeave || at === undefined) return
    waiting = waiting.filter(({ index }) => isInside(stays[index], at))
    const [first, ...rest] = waiting
    if (!first) return
    waiting = rest
    rights[first.index] = at
    holders.push({ index: first.index, outTime: stays[first.index]?.outTime })
  }
  for (const { stay, index } of entries) {
    leaveUntil(stay.inTime)
    if (holders.length < placeCount) {
      rights[index] = stay.inTime
      holders.push({ index, outTime: stay.outTime })
    } else {
      waiting.push({ index })
    }
  }
  leaveUntil(undefined)
  return stays.map((stay, index) => ({ ...stay, rightFrom: rights[index] }))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A stay that ends in a moment is over in it. */
const isInside = (stay: GroupStay | undefined, at: Moment): boolean =>
  stay !== undefined && (stay.outTime === undefined || stay.outTime > at)

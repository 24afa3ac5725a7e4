import type { FieldFault } from '#kit/contract/wire.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import type { Activity } from '../contract/activity.ts'
import type { SignState } from '../contract/choices.ts'
import type { ActivitySign } from '../contract/sign.ts'

type Times = Pick<Activity, 'beginTime' | 'endTime' | 'signBegin' | 'signEnd'>
type Numbers = Pick<Activity, 'quota' | 'maxPersons'>
type Places = Pick<Activity, 'quota' | 'signCount' | 'waitCount'>

/** NOT-2: sign-up ends before the activity does. */
export function timeFaults({ beginTime, endTime, signBegin, signEnd }: Times): FieldFault[] {
  return [
    ...(endTime <= beginTime ? [{ Field: 'EndTime', Message: '结束时间应晚于开始时间' }] : []),
    ...(signEnd <= signBegin ? [{ Field: 'SignEnd', Message: '报名截止应晚于报名开始' }] : []),
    ...(signEnd > endTime ? [{ Field: 'SignEnd', Message: '报名截止不能晚于活动结束' }] : []),
  ]
}

export function numberFaults(
  { quota, maxPersons }: Numbers,
  before: Pick<Activity, 'signCount'> | undefined,
): FieldFault[] {
  const taken = before?.signCount ?? 0
  return [
    ...(quota > 0 && maxPersons > quota
      ? [{ Field: 'MaxPersons', Message: `每次最多人数不能多于名额 ${quota} 人` }]
      : []),
    ...(quota > 0 && quota < taken
      ? [{ Field: 'Quota', Message: `已报名 ${taken} 人，名额不能少于已报名人数` }]
      : []),
  ]
}

export function editFault({ state }: Pick<Activity, 'state'>): string | undefined {
  if (state === 'cancelled') return '活动已取消，不能修改，请新增活动'
  return state === 'ended' ? '活动已结束，不能修改，请新增活动' : undefined
}

export function publishFault({ state, endTime, signEnd }: Activity, now: Moment): string | undefined {
  if (state !== 'draft') return '只有草稿可以发布'
  if (endTime <= now) return '活动结束时间已过，请修改后发布'
  return signEnd <= now ? '报名截止时间已过，请修改后发布' : undefined
}

export function cancelFault({ state }: Pick<Activity, 'state'>): string | undefined {
  if (state === 'draft') return '草稿未发布，不再需要请删除'
  return state === 'published' ? undefined : '活动已取消或已结束'
}

export const pinFault = ({ state }: Pick<Activity, 'state'>): string | undefined =>
  state === 'published' ? undefined : '只有已发布的活动可以置顶'

export const deleteFault = ({ state, title }: Pick<Activity, 'state' | 'title'>): string | undefined =>
  state === 'published' ? `活动「${title}」已发布，请先取消再删除` : undefined

export const hasPlaces = ({ quota, signCount, waitCount }: Places, persons: number): boolean =>
  quota === 0 || (waitCount === 0 && signCount + persons <= quota)

/** Why nobody can sign up now; nothing while they can. */
export function signUpRefusal(
  of: Pick<Activity, 'state' | 'quota' | 'signCount' | 'waitCount' | 'hasWaiting'> & Times,
  persons: number,
  now: Moment,
): string | undefined {
  if (of.state === 'cancelled') return '活动已取消'
  if (of.state !== 'published' || of.endTime <= now) return '活动已结束'
  if (now < of.signBegin) return `${of.signBegin.slice(5, 16)} 开始报名`
  if (now > of.signEnd) return '报名已截止'
  if (hasPlaces(of, persons) || of.hasWaiting) return undefined
  const left = of.quota - of.signCount
  return left > 0 && of.waitCount === 0 ? `还剩 ${left} 个名额，请减少人数` : '名额已满'
}

/** The activity as a resident sees it in a list. */
export function stageText(
  of: Pick<Activity, 'state' | 'quota' | 'signCount' | 'waitCount' | 'hasWaiting'> & Times,
  now: Moment,
): string {
  const refusal = signUpRefusal(of, 1, now)
  if (refusal === '报名已截止' && now >= of.beginTime) return '进行中'
  if (refusal !== undefined) return refusal
  if (of.quota === 0) return '报名中'
  if (hasPlaces(of, 1)) return `报名中，剩 ${of.quota - of.signCount} 个名额`
  // Places are left that are too few for who waits first.
  return of.signCount < of.quota ? '余下名额按候补顺序递补，可候补' : '名额已满，可候补'
}

/**
 * Who waits moves up until the activity begins: nobody is given a place, or a bill, of what already runs.
 * Where sign-up goes on after that, until it ends.
 */
export const movesUp = (
  { state, beginTime, signEnd }: Pick<Activity, 'state' | 'beginTime' | 'signEnd'>,
  now: Moment,
): boolean => state === 'published' && (now < beginTime || now < signEnd)

/** A resident cancels until sign-up ends; who waits or waited, as long as others move up (NOT-2). */
export const canCancelOwn = (
  { state, waitNo }: Pick<ActivitySign, 'state' | 'waitNo'>,
  of: Pick<Activity, 'state' | 'beginTime' | 'signEnd'>,
  now: Moment,
): boolean =>
  (state === 'signed' || state === 'waiting') &&
  of.state === 'published' &&
  (now <= of.signEnd || (waitNo !== undefined && movesUp(of, now)))

/** Doors open somewhat before. */
const earlyMinutes = 120

export function checkInRefusal(
  { state, beginTime, endTime }: Pick<Activity, 'state' | 'beginTime' | 'endTime'>,
  now: Moment,
): string | undefined {
  if (state === 'cancelled') return '活动已取消，不能签到'
  if (state === 'draft') return '活动未发布，不能签到'
  if (state === 'ended' || now > endTime) return '活动已结束，不能签到'
  const from = addMinutes(beginTime, -earlyMinutes)
  return now < from ? `${from.slice(5, 16)} 开始签到` : undefined
}

export function signCheckInRefusal(state: SignState): string | undefined {
  if (state === 'checkedIn') return '已签到，无需重复签到'
  if (state === 'waiting') return '候补中，尚未获得名额，不能签到'
  return state === 'cancelled' ? '报名已取消，不能签到' : undefined
}

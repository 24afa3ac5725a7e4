import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import type { Relation } from '#modules/residents/contract/relation.ts'
import type { Activity } from '../contract/activity.ts'
import { signUpRefusal, stageText } from './activity.ts'
import { hasFee } from './fee.ts'

/** As much of a home as says whether an activity is for it. */
export interface AskedHome {
  readonly projectCode: string
  /** None of a worker. */
  readonly roomId?: Id | undefined
  readonly buildingCode?: string | undefined
  readonly relation?: Relation | undefined
}

type Audience = Pick<Activity, 'projectCode' | 'buildCodes' | 'relations'>
type ChargedAudience = Audience & Pick<Activity, 'fee'>

const isInBuilding = ({ buildCodes = [] }: Audience, { buildingCode }: AskedHome): boolean =>
  !buildCodes.length || (buildingCode !== undefined && buildCodes.includes(buildingCode))

const hasRelation = ({ relations = [] }: Audience, { relation }: AskedHome): boolean =>
  !relations.length || (relation !== undefined && relations.includes(relation))

/** A worker has no building and no relation: for them is what is for everybody. */
export const isForHome = (of: Audience, home: AskedHome): boolean =>
  home.projectCode === of.projectCode && isInBuilding(of, home) && hasRelation(of, home)

/** Before somebody without a room signs up for what costs something. */
export const residentRoomRefusal = '收费活动按房屋出账单，限本项目的住户以房屋报名，如需参加请联系物业'
export const staffRoomRefusal = '该住户在本项目暂无房屋，收费活动按房屋出账单，请先办理入住再报名'

/** A fee is charged to a room (PAY-4). */
export const lacksRoom = (of: Pick<Activity, 'fee'>, home: Pick<AskedHome, 'roomId'>): boolean =>
  hasFee(of) && home.roomId === undefined

type SignedUpFor = Parameters<typeof signUpRefusal>[0] & Pick<Activity, 'fee'>

/** Why somebody cannot sign up now with this home. */
export const refusalFor = (of: SignedUpFor, home: AskedHome, now: Moment): string | undefined =>
  signUpRefusal(of, 1, now) ?? (lacksRoom(of, home) ? residentRoomRefusal : undefined)

/** The activity in a list, for who has this home. */
export const stageFor = (of: SignedUpFor, home: AskedHome, now: Moment): string =>
  lacksRoom(of, home) && signUpRefusal(of, 1, now) === undefined ? '限有房屋的住户报名' : stageText(of, now)

/** Of somebody's homes the one to sign up for: the room asked for, else one with a room. */
export function fittingHome<H extends AskedHome>(
  of: ChargedAudience,
  homes: readonly H[],
  roomId?: Id,
): H | undefined {
  const fitting = homes.filter(home => isForHome(of, home) && !lacksRoom(of, home))
  return (
    fitting.find(home => home.roomId === roomId) ??
    fitting.find(home => home.roomId !== undefined) ??
    fitting[0]
  )
}

/** Why staff cannot sign somebody up with any of their homes. */
export function homesRefusal(of: ChargedAudience, homes: readonly AskedHome[]): string {
  const here = homes.filter(({ projectCode }) => projectCode === of.projectCode)
  if (!here.length) return '该住户在本项目暂无房屋，请先办理入住再报名'
  if (here.every(home => lacksRoom(of, home))) return staffRoomRefusal
  if (!here.some(home => isInBuilding(of, home))) return '该住户不在活动的参加楼栋内，请重新选择'
  return '该住户与房屋的关系不在活动的参加范围内，请重新选择'
}

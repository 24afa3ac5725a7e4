import { addDays, type Day } from '#kit/domain/day.ts'
import { addMinutes, dayOfMoment, secondsBetween, type Moment } from '#kit/domain/moment.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { InviteRule } from '../contract/rule.ts'
import { answerFaults, type Answer } from './questions.ts'

export interface AskedVisitor {
  readonly visitorName: string
  readonly mobile?: string | undefined
  readonly plateNo?: string | undefined
}

export interface AskedVisit {
  readonly beginTime: Moment
  readonly endTime: Moment
  readonly personCount: number
  readonly visitors: readonly AskedVisitor[]
  readonly answers?: readonly Answer[] | undefined
  /** Of a visit that is changed: what it began with may stay. */
  readonly beginTimeBefore?: Moment | undefined
}

type RuleLimits = Pick<InviteRule, 'advanceDays' | 'maxHours' | 'maxPersons' | 'allowsCar' | 'questions'>

const secondsPerHour = 3600

/** VIS-6: until when a visit may be extended. */
export const latestEnd = (firstEndTime: Moment, { maxHours }: Pick<InviteRule, 'maxHours'>): Moment =>
  addMinutes(firstEndTime, maxHours * 60)

/** A form may lie open over midnight. */
const pastMinutes = 60

/** A visit of another day is entered in no book any more, and would count in figures that are closed. */
const isPast = ({ beginTime, beginTimeBefore }: AskedVisit, now: Moment, today: Day): boolean =>
  beginTime !== beginTimeBefore && dayOfMoment(beginTime) < today && beginTime < addMinutes(now, -pastMinutes)

function periodFaults(
  visit: AskedVisit,
  { advanceDays, maxHours }: RuleLimits,
  now: Moment,
  today: Day,
): FieldFault[] {
  const { beginTime, endTime } = visit
  if (endTime <= beginTime) return [{ Field: 'EndTime', Message: '来访结束应晚于来访开始' }]
  if (endTime <= now) return [{ Field: 'EndTime', Message: '来访结束已过，请选择之后的时间' }]
  return [
    ...(isPast(visit, now, today) ? [{ Field: 'BeginTime', Message: '来访开始不能早于今天，请修改' }] : []),
    ...(dayOfMoment(beginTime) > addDays(today, advanceDays)
      ? [
          {
            Field: 'BeginTime',
            Message: advanceDays ? `最多可提前 ${advanceDays} 天邀请` : '只能邀请今天来访，请改为今天',
          },
        ]
      : []),
    ...(secondsBetween(beginTime, endTime) > maxHours * secondsPerHour
      ? [{ Field: 'EndTime', Message: `一次来访最长 ${maxHours} 小时，请缩短时间` }]
      : []),
  ]
}

function visitorFaults({ visitors, personCount }: AskedVisit, rule: RuleLimits): FieldFault[] {
  const mobiles = visitors.map(({ mobile }) => mobile)
  return [
    ...visitors.flatMap(({ mobile, plateNo }, i) => [
      ...(i === 0 && mobile === undefined
        ? [{ Field: `Visitors[${i}].Mobile`, Message: '请填写访客的手机号' }]
        : []),
      ...(mobile !== undefined && mobiles.indexOf(mobile) < i
        ? [{ Field: `Visitors[${i}].Mobile`, Message: '手机号与前面的访客相同，请修改' }]
        : []),
      ...(plateNo !== undefined && !rule.allowsCar
        ? [{ Field: `Visitors[${i}].PlateNo`, Message: '该规则不允许访客车辆，请清除车牌' }]
        : []),
    ]),
    ...(personCount < visitors.length
      ? [{ Field: 'PersonCount', Message: `人数不能少于已填写的 ${visitors.length} 位访客` }]
      : []),
    ...(personCount > rule.maxPersons
      ? [{ Field: 'PersonCount', Message: `一次最多 ${rule.maxPersons} 人` }]
      : []),
  ]
}

/** What is wrong with a visit under a rule (VIS-1); all of it together. */
export const invitationFaults = (
  visit: AskedVisit,
  rule: RuleLimits,
  { now, today }: { readonly now: Moment; readonly today: Day },
): FieldFault[] => [
  ...periodFaults(visit, rule, now, today),
  ...visitorFaults(visit, rule),
  ...answerFaults(rule.questions ?? [], visit.answers ?? []),
]

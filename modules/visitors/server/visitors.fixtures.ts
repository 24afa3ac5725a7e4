import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { dayOfMoment, fromInstant, momentAt } from '#kit/domain/moment.ts'
import { addDays } from '#kit/domain/day.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { addInvitation, type InvitationDetail } from '../contract/invitations.ts'
import { inviteRules, type InviteRule } from '../contract/rule.ts'

export const projectCode = 'GOLD0001'
let made = 0

/** A rule as somebody enters it, with what a test says otherwise. */
export const addRule = (
  t: GoldenApp,
  me: CallOptions,
  values: Partial<InviteRule> = {},
): Promise<InviteRule> =>
  t.call(
    inviteRules.add,
    {
      projectCode,
      ruleName: `规则${++made}`,
      hostTypes: ['resident', 'company', 'staff'],
      advanceDays: 7,
      maxHours: 24,
      maxTimes: 1,
      maxPersons: 10,
      needsCert: false,
      needsFace: false,
      allowsCar: true,
      checkType: 'exempt',
      state: 'on',
      ...values,
    },
    me,
  )

let mobiles = 10_000_000

export const nextMobile = (): string => `138${mobiles++}`

/** Tomorrow from nine to six. */
export function tomorrow(t: GoldenApp) {
  const day = addDays(dayOfMoment(fromInstant(t.app.clock())), 1)
  return { beginTime: momentAt(day, '09:00'), endTime: momentAt(day, '18:00') }
}

type Asked = NonNullable<typeof addInvitation.input.T>

/** One visitor of the property itself, tomorrow. */
export const inviteOne = (
  t: GoldenApp,
  me: CallOptions,
  values: Partial<Asked> = {},
): Promise<InvitationDetail> =>
  t.call(
    addInvitation,
    {
      projectCode,
      hostType: 'staff',
      visitorKind: 'friend',
      personCount: 1,
      ...tomorrow(t),
      visitors: [{ visitorName: '王五', mobile: nextMobile() }],
      ...values,
    },
    me,
  )

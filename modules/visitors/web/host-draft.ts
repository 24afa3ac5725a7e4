import { fromInstant, readMoment } from '#kit/domain/moment.ts'
import { rules } from '#kit/contract/rules.ts'
import { serverNow } from '#kit/web/server-clock.ts'
import { normalizePlate, plateRule } from '#modules/parking/contract/licence-plate.ts'
import type { VisitorKind } from '../contract/choices.ts'
import type { HostPage, inviteAsHost } from '../contract/host.ts'

export type OfferedKind = HostPage['kinds'][number]
type Sent = Omit<NonNullable<typeof inviteAsHost.input.T>, 'token'>

/** One visitor as typed. */
export interface TypedVisitor {
  readonly name: string
  readonly mobile: string
  readonly plate: string
}

export interface HostDraft {
  readonly visitorKind?: VisitorKind | undefined
  readonly begin: string
  readonly end: string
  readonly personCount: string
  readonly reason: string
  readonly visitors: readonly TypedVisitor[]
  readonly answers: Readonly<Record<string, string>>
  readonly paysParking: boolean
}

export const noVisitor: TypedVisitor = { name: '', mobile: '', plate: '' }

const hourMs = 3_600_000
const typedMoment = (ms: number): string => fromInstant(ms).slice(0, 16).replace(' ', 'T')

/** From now on for two hours, or as long as a visit may last. */
export const newDraft = (kinds: readonly OfferedKind[]): HostDraft => {
  const [first] = kinds
  const hours = Math.min(2, first?.maxHours ?? 2)
  return {
    visitorKind: first?.visitorKind,
    begin: typedMoment(serverNow()),
    end: typedMoment(serverNow() + hours * hourMs),
    personCount: '1',
    reason: '',
    visitors: [noVisitor],
    answers: {},
    paysParking: false,
  }
}

const momentOf = (typed: string) => readMoment(typed.replace('T', ' '))

/** What is still wrong, by field; the server asks the rules once more. */
export function draftFaults(draft: HostDraft, kind: OfferedKind | undefined) {
  const [begin, end] = [momentOf(draft.begin), momentOf(draft.end)]
  return {
    kind: kind ? undefined : '请选择访客类别',
    begin: begin ? undefined : '请填写来访开始',
    end: !end ? '请填写来访结束' : begin && end <= begin ? '来访结束应晚于来访开始' : undefined,
    persons: /^[1-9]\d{0,2}$/.test(draft.personCount.trim()) ? undefined : '请填写人数',
    names: draft.visitors.map(({ name }) => (name.trim() ? undefined : '请填写访客姓名')),
    mobiles: draft.visitors.map(({ mobile }, i) => {
      const typed = mobile.trim()
      if (typed) return rules.mobile.test(typed)
      return i === 0 ? '请填写访客手机号' : undefined
    }),
    plates: draft.visitors.map(({ plate }) =>
      plate.trim() ? plateRule.test(normalizePlate(plate)) : undefined,
    ),
    answers: Object.fromEntries(
      (kind?.questions ?? []).map(({ label, isRequired }) => [
        label,
        isRequired && !draft.answers[label]?.trim() ? '请填写' : undefined,
      ]),
    ),
  }
}

export type DraftFaults = ReturnType<typeof draftFaults>

export const hasFault = (faults: DraftFaults): boolean =>
  Object.values(faults)
    .flatMap((fault): unknown[] => (typeof fault === 'object' ? Object.values(fault) : [fault]))
    .some(fault => fault !== undefined)

const visitorOf = ({ name, mobile, plate }: TypedVisitor, allowsCar: boolean) => ({
  visitorName: name.trim(),
  ...(mobile.trim() ? { mobile: mobile.trim() } : {}),
  ...(allowsCar && plate.trim() ? { plateNo: normalizePlate(plate) } : {}),
})

/** The parking of cars that are named may be paid for. */
export const canPayParking = (draft: HostDraft, kind: OfferedKind | undefined): boolean =>
  kind?.allowsCar === true && draft.visitors.some(({ plate }) => plate.trim())

/** What is sent of a draft without faults. */
export function invitationOf(draft: HostDraft, kind: OfferedKind): Sent | undefined {
  const [beginTime, endTime] = [momentOf(draft.begin), momentOf(draft.end)]
  if (!beginTime || !endTime) return undefined
  const answers = kind.questions.flatMap(({ label }) => {
    const answer = draft.answers[label]?.trim()
    return answer ? [{ label, answer }] : []
  })
  return {
    visitorKind: kind.visitorKind,
    personCount: Math.max(Number(draft.personCount), draft.visitors.length),
    beginTime,
    endTime,
    ...(draft.reason.trim() ? { reason: draft.reason.trim() } : {}),
    ...(answers.length ? { answers } : {}),
    ...(draft.paysParking && canPayParking(draft, kind) ? { hostPaysParking: true } : {}),
    visitors: draft.visitors.map(visitor => visitorOf(visitor, kind.allowsCar)),
  }
}

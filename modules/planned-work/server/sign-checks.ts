import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { labelOf } from '#kit/contract/field.ts'
import { extraReason, type ExtraReason } from '../contract/choices.ts'
import type { WorkStep, WorkTask } from '../contract/task.ts'
import { isOutOfRange } from '../domain/result.ts'
import { timeRefusal } from '../domain/signs.ts'
import type { SignInput, SignMatcher } from './kinds.ts'
import { idsOf } from './work-context.ts'

/** Whether a sign counts for a step, or why it is kept beside the record. */
export type SignDecision =
  | { readonly step: WorkStep; readonly reason?: undefined }
  | {
      readonly step?: WorkStep | undefined
      readonly reason: ExtraReason
      readonly message?: string | undefined
    }

const isAssigned = (task: WorkTask, staffId: Id): boolean =>
  task.staffId === undefined ? idsOf(task.candidateIds).includes(staffId) : task.staffId === staffId

/** What is wrong with one check: its bounds decide where there are any. */
export const verdictOf = (
  bounds: { readonly minValue?: string | undefined; readonly maxValue?: string | undefined },
  found: { readonly verdict?: WorkStep['verdict']; readonly value?: string | undefined },
): WorkStep['verdict'] => (isOutOfRange(found.value, bounds) ? 'failed' : found.verdict)

const needsValue = ({
  minValue,
  maxValue,
}: {
  readonly minValue?: string
  readonly maxValue?: string
}): boolean => minValue !== undefined || maxValue !== undefined

/** What the step asks for and the sign has not got. */
function missingOf(step: WorkStep, sign: SignInput, photos: readonly string[]): string | undefined {
  const { needs = {} } = step
  const isPhotoSign = sign.signType === 'photo'
  if ((needs.photo || isPhotoSign) && !photos.length) return '请拍照后再签到'
  const applies = sign.verdict !== 'notApplicable'
  // Lists and sheets show it as a number, whether the step asks for one or not.
  if (sign.value !== undefined && !Number.isFinite(Number(sign.value))) return '数值请填写数字'
  if (needs.verdict && !sign.verdict) return '请填写检查结果'
  if (applies && needsValue(needs) && !Number.isFinite(Number(sign.value ?? Number.NaN))) return '请填写数值'
  for (const item of needs.items ?? []) {
    const found = sign.items?.find(({ name }) => name === item.name)
    if (!found) return `请填写「${item.name}」的检查结果`
    if (found.verdict === 'notApplicable') continue
    if (needsValue(item) && !Number.isFinite(Number(found.value ?? Number.NaN)))
      return `请填写「${item.name}」的数值`
    if (item.needsPhoto && !photos.length) return `「${item.name}」需要拍照`
  }
  return undefined
}

export interface SignSituation {
  readonly task: WorkTask
  readonly steps: readonly WorkStep[]
  readonly match: SignMatcher | undefined
  readonly staffId: Id
  readonly at: Moment
  readonly now: Moment
  /** The pictures of the sign that are stored. */
  readonly photos: readonly string[]
}

/** Without a matcher the sign names its step. */
const namedStep: SignMatcher = (sign, _task, steps) =>
  steps.some(({ id }) => id === sign.stepId) && sign.stepId !== undefined
    ? { stepId: sign.stepId }
    : { reason: 'notInTask' }

/** PAT-6: the first valid sign of a step counts; every other one is kept with its reason. */
export function decideSign(sign: SignInput, situation: SignSituation): SignDecision {
  const { task, steps, match = namedStep, staffId, at, now, photos } = situation
  const matched = match(sign, task, steps)
  const step = 'stepId' in matched ? steps.find(({ id }) => id === matched.stepId) : undefined
  if (!isAssigned(task, staffId)) return { step, reason: 'notAssigned' }
  const untimely = timeRefusal(task, at, now)
  if (untimely) return { step, reason: untimely }
  if ('reason' in matched) return { reason: matched.reason, message: matched.message }
  if (!step) return { reason: 'notInTask' }
  if (step.signTime) return { step, reason: 'repeated' }
  const missing = missingOf(step, sign, photos)
  return missing ? { step, reason: 'incomplete', message: missing } : { step }
}

export const reasonText = (reason: ExtraReason, message: string | undefined): string =>
  message ?? `${labelOf(extraReason, reason)}，已留存，不计入结果`

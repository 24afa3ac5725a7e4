import type { StepVerdict } from '../contract/choices.ts'
import type { WorkStep, WorkTask } from '../contract/task.ts'
import { isOutOfRange } from '../domain/result.ts'
import type { NewSign } from './queued-sign.ts'

/** What was filled in of one item. Stored in the browser: the names of its members stay. */
export interface ItemDraft {
  readonly verdict?: StepVerdict | undefined
  readonly value?: string | undefined
  readonly abnormal?: string | undefined
  /** A remark on an item that has passed; undefined until its field was opened. */
  readonly remark?: string | undefined
  readonly photos: readonly string[]
}

export const emptyDraft: ItemDraft = { photos: [] }

export type Drafts = Readonly<Record<string, ItemDraft>>

export const isMeasured = ({ needs }: Pick<WorkStep, 'needs'>): boolean =>
  needs?.minValue !== undefined || needs?.maxValue !== undefined

/** The bounds of a number, e.g. `40 ~ 60 ℃`. */
export const boundsText = ({ needs = {} }: Pick<WorkStep, 'needs'>): string =>
  [`${needs.minValue ?? ''} ~ ${needs.maxValue ?? ''}`, needs.unit].filter(Boolean).join(' ')

const isNumber = (value: string | undefined): boolean => /^-?\d+(\.\d+)?$/.test(value?.trim() ?? '')

/** A number outside its bounds has failed, whatever was chosen: the server judges it so. */
export function verdictOf(
  step: Pick<WorkStep, 'needs'>,
  { verdict, value }: ItemDraft,
): StepVerdict | undefined {
  const isJudged = verdict !== 'notApplicable' && isMeasured(step) && isNumber(value)
  return isJudged && isOutOfRange(value?.trim(), step.needs ?? {}) ? 'failed' : verdict
}

export const isStarted = (draft: ItemDraft | undefined): boolean =>
  draft !== undefined &&
  (draft.verdict !== undefined ||
    draft.photos.length > 0 ||
    Boolean(draft.value?.trim() || draft.remark?.trim()))

/** Why an item cannot be signed yet, as a message. */
export function missingOf(
  step: Pick<WorkStep, 'stepName' | 'needs'>,
  draft: ItemDraft | undefined,
): string | undefined {
  const { stepName, needs } = step
  if (!draft?.verdict) return `请选择「${stepName}」的结果`
  const applies = draft.verdict !== 'notApplicable'
  if (applies && isMeasured(step) && !isNumber(draft.value)) return `请填写「${stepName}」的数值`
  if (needs?.photo && !draft.photos.length) return `「${stepName}」需要拍照`
  return verdictOf(step, draft) === 'failed' && !draft.abnormal?.trim()
    ? `请填写「${stepName}」的问题`
    : undefined
}

/** An item as it is signed; `code` is what the label of the place says, where it was scanned. */
export function signOfDraft(
  step: Pick<WorkStep, 'id' | 'stepName' | 'needs'>,
  draft: ItemDraft,
  {
    task,
    code,
    deviceMs,
  }: {
    readonly task: Pick<WorkTask, 'id' | 'targetName' | 'planName'>
    readonly code: string | undefined
    readonly deviceMs: number
  },
): NewSign {
  const verdict = verdictOf(step, draft)
  const isFailed = verdict === 'failed'
  const value = isMeasured(step) && draft.verdict !== 'notApplicable' ? draft.value?.trim() : undefined
  return {
    taskId: task.id,
    stepId: step.id,
    pointName: step.stepName,
    taskName: [task.targetName, task.planName].filter(Boolean).join(' '),
    signType: code === undefined ? 'manual' : 'qr',
    code,
    deviceMs,
    verdict,
    value: value || undefined,
    abnormal: (isFailed && draft.abnormal?.trim()) || undefined,
    remark: (!isFailed && draft.remark?.trim()) || undefined,
    photos: draft.photos,
  }
}

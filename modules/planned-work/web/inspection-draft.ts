import type { ChoiceOf } from '#kit/contract/field.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { uploadPhotos } from '#kit/web/phone/stored-photos.ts'
import type { stepVerdict } from '../contract/choices.ts'
import type { KindCalls } from '../contract/kind-calls.ts'
import type { WorkStep, WorkTask } from '../contract/task.ts'

/** What was filled in of one item. Stored in the browser: the names of its members stay. */
export interface ItemDraft {
  readonly uuid: string
  readonly verdict?: ChoiceOf<typeof stepVerdict>
  readonly value?: string
  readonly abnormal?: string
  readonly photos: readonly string[]
}

export const isMeasured = ({ needs }: Pick<WorkStep, 'needs'>): boolean =>
  needs?.minValue !== undefined || needs?.maxValue !== undefined

/** What an item still asks for, in the words of the page. */
export function missingOf(
  step: Pick<WorkStep, 'stepName' | 'needs'>,
  draft: ItemDraft | undefined,
): string | undefined {
  const { stepName, needs } = step
  if (!draft?.verdict) return `请选择「${stepName}」的结果`
  const applies = draft.verdict !== 'notApplicable'
  if (applies && isMeasured(step) && !/^-?\d+(\.\d+)?$/.test(draft.value?.trim() ?? ''))
    return `请填写「${stepName}」的数值`
  if (needs?.photo && !draft.photos.length) return `「${stepName}」需要拍照`
  return draft.verdict === 'failed' && !draft.abnormal?.trim() ? `请填写「${stepName}」的问题` : undefined
}

/** Sends the items that are filled in; answers why one does not count, if one does not. */
export async function sendInspection(
  calls: KindCalls,
  task: Pick<WorkTask, 'id'>,
  steps: readonly WorkStep[],
  drafts: Readonly<Record<string, ItemDraft>>,
  code: string | undefined,
): Promise<string | undefined> {
  const signs = []
  for (const step of steps) {
    const draft = drafts[step.id]
    if (!draft?.verdict) continue
    const photos = await uploadPhotos(draft.photos)
    signs.push({
      uuid: draft.uuid,
      taskId: task.id,
      stepId: step.id,
      signType: code === undefined ? ('manual' as const) : ('qr' as const),
      ...(code === undefined ? {} : { code }),
      deviceTime: fromInstant(Date.now()),
      verdict: draft.verdict,
      ...(draft.value?.trim() ? { value: draft.value.trim() } : {}),
      ...(draft.verdict === 'failed' && draft.abnormal?.trim() ? { abnormal: draft.abnormal.trim() } : {}),
      ...(photos.length ? { photos } : {}),
    })
  }
  const answers = await sendAndInvalidate(
    calls.sign,
    { signs, sentTime: fromInstant(Date.now()) },
    { quiet: true },
  )
  return answers.find(({ isKept }) => !isKept)?.message
}

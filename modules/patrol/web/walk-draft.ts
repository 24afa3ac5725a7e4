import type { Id } from '#kit/domain/id.ts'
import { formPhotosKey } from '#kit/web/phone/use-form-photos.ts'
import type { Position } from '#kit/web/phone/locate.ts'
import { personalKey } from '#kit/web/session.ts'
import type { SignType, StepVerdict } from '#modules/planned-work/contract/choices.ts'
import type { ShownPoint } from './rounds.ts'

export type { SignType }

/** How the person has shown to be at the point, before the checks are filled in. */
export interface Arrival extends Position {
  readonly signType: SignType
  readonly code?: string
  readonly deviceMs: number
}

/** What is filled in at a point; kept in the browser until it is signed. */
export interface PointDraft {
  readonly arrival?: Arrival | undefined
  readonly values: Readonly<Record<string, string>>
  readonly verdicts: Readonly<Record<string, StepVerdict>>
  readonly abnormal: string
}

export const emptyDraft: PointDraft = { values: {}, verdicts: {}, abnormal: '' }

export const draftKey = (stepId: Id): string => personalKey(`patrol.point/${stepId}`)
export const photosName = (stepId: Id): string => `patrol.point-photos/${stepId}`
export const photosKey = (stepId: Id): string => formPhotosKey(photosName(stepId))

/** Whether something was filled in: it is sent with the sign, which then is not sent at once. */
export const hasEntries = ({ values, verdicts, abnormal }: PointDraft, photos: readonly string[]): boolean =>
  photos.length > 0 ||
  abnormal.trim() !== '' ||
  Object.keys(verdicts).length > 0 ||
  Object.values(values).some(value => value.trim() !== '')

type Item = ShownPoint['items'][number]

export const isMeasured = ({ minValue, maxValue, unit }: Item): boolean =>
  minValue !== undefined || maxValue !== undefined || unit !== undefined

/** A measured item is judged by its bounds, another one by the person. */
export function verdictOf(item: Item, draft: PointDraft): StepVerdict | undefined {
  if (!isMeasured(item)) return draft.verdicts[item.name]
  const text = draft.values[item.name]?.trim()
  if (!text || Number.isNaN(Number(text))) return undefined
  const value = Number(text)
  const isLow = item.minValue !== undefined && value < Number(item.minValue)
  const isHigh = item.maxValue !== undefined && value > Number(item.maxValue)
  return isLow || isHigh ? 'failed' : 'passed'
}

/** Whether a point asks for more than being there. */
export const asksMore = ({ needsPhoto, items }: ShownPoint): boolean => needsPhoto || items.length > 0

/** What is still missing before the point can be signed, in the order of the page. */
export function missingText(point: ShownPoint, draft: PointDraft, photoCount: number): string | undefined {
  if (!draft.arrival) return '请先签到'
  const open = point.items.find(item => verdictOf(item, draft) === undefined)
  if (open) return isMeasured(open) ? `请填写「${open.name}」的数值` : `请选择「${open.name}」的结果`
  const needsPhoto = point.needsPhoto || point.items.some(item => item.needsPhoto)
  if (needsPhoto && !photoCount) return '请拍照'
  const isFailed = point.items.some(item => verdictOf(item, draft) === 'failed')
  return isFailed && !draft.abnormal.trim() ? '有不合格项，请填写异常说明' : undefined
}

/** Results of the items as they are sent. */
export const itemResultsOf = (point: ShownPoint, draft: PointDraft) =>
  point.items.map(item => {
    const value = isMeasured(item) ? draft.values[item.name]?.trim() : undefined
    return {
      name: item.name,
      verdict: verdictOf(item, draft) ?? 'notApplicable',
      ...(value ? { value } : {}),
    }
  })

import type { ChoiceOf } from '#kit/contract/field.ts'
import type { noticeAudience, noticeState, receiptState } from '../contract/choices.ts'

type State = ChoiceOf<typeof noticeState>
type Receipt = ChoiceOf<typeof receiptState>

/** Why a notice cannot be changed, published or withdrawn as it is. */
export const editFault = (state: State): string | undefined =>
  state === 'draft' ? undefined : '已发布或已撤回的公告不能修改，请复制为新公告'

export const publishFault = (state: State): string | undefined => {
  if (state === 'published') return '公告已发布，无需重复发布'
  return state === 'withdrawn' ? '已撤回的公告不能再次发布，请复制为新公告' : undefined
}

export const withdrawFault = (state: State): string | undefined => {
  if (state === 'draft') return '公告尚未发布，无需撤回'
  return state === 'withdrawn' ? '公告已撤回，无需重复撤回' : undefined
}

export const remindFault = (state: State): string | undefined =>
  state === 'published' ? undefined : '只能提醒已发布公告的接收人'

interface Audience {
  readonly audience: ChoiceOf<typeof noticeAudience>
  readonly departmentIds?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
  readonly staffIds?: readonly string[] | undefined
}

/** Which field of an audience must name somebody, and does not. */
export function audienceFault({
  audience,
  ...named
}: Audience): [key: keyof Audience, text: string] | undefined {
  if (audience === 'departments' && !named.departmentIds?.length)
    return ['departmentIds', '请选择接收公告的部门']
  if (audience === 'tags' && !named.tags?.length) return ['tags', '请选择接收公告的员工标签']
  if (audience === 'people' && !named.staffIds?.length) return ['staffIds', '请选择接收公告的人员']
  return undefined
}

/** What is stored of an audience: what another choice had named is dropped. */
export const storedAudience = ({ audience, ...named }: Audience) => ({
  departmentIds: audience === 'departments' ? named.departmentIds : undefined,
  tags: audience === 'tags' ? named.tags : undefined,
  staffIds: audience === 'people' ? named.staffIds : undefined,
})

/** What is done with a notice once it has been read; an important one is confirmed as well. */
export const finalReceipt = (isImportant: boolean): Receipt => (isImportant ? 'confirmed' : 'read')

/** Whether a receiver still has something to do with it. */
export const isWaiting = (isImportant: boolean, receipt: Receipt): boolean =>
  receipt === 'unread' || (isImportant && receipt !== 'confirmed')

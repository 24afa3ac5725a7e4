import type { VisitState } from '../contract/choices.ts'
import type { Invitation } from '../contract/invitation.ts'

/** `王**`: a page behind a link names people no further than those who sent it know them. */
export const shortName = (name: string): string => `${[...name][0] ?? ''}**`

const stateTexts: { readonly [S in VisitState]: string } = {
  pending: '已提交，等待审批',
  passed: '已通过，请在有效时间内来访',
  arrived: '已到访',
  left: '已离开',
  refused: '未通过',
  cancelled: '已取消',
  expired: '已过期',
}

export const stateText = ({
  state,
  stage,
}: Pick<Invitation, 'stage'> & { readonly state: VisitState }): string =>
  state === 'pending' && stage !== undefined
    ? stage === 'host'
      ? '等待被访人确认'
      : '等待物业审核'
    : stateTexts[state]

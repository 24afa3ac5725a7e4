import type { Id } from '#kit/domain/id.ts'
import type { ApprovalContext } from '#modules/approvals/server/public.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import type { Purchase } from '../contract/purchase.ts'
import { paths } from '../module.ts'

export const purchaseNotices = {
  decided: defineNotificationKind({
    key: 'purchases.decided',
    label: '我的采购的审批结果',
    group: 'notice',
  }),
  arrived: defineNotificationKind({ key: 'purchases.arrived', label: '我的采购到货', group: 'notice' }),
} as const

/** A message to the applicant about their purchase. */
export const notifyApplicant = (
  { tx, app, scope }: Pick<ApprovalContext, 'tx' | 'app' | 'scope'>,
  purchase: Pick<Purchase, 'id' | 'applicantId' | 'projectCode'>,
  notice: keyof typeof purchaseNotices,
  message: { readonly title: string; readonly text?: string | undefined },
): Promise<number> =>
  notify(tx, app, scope.ownerId, {
    kind: purchaseNotices[notice],
    to: [purchase.applicantId satisfies Id],
    exceptOperatorId: scope.operatorId,
    ...message,
    link: `${paths.detail}?id=${purchase.id}`,
    bizId: purchase.id,
    project: purchase.projectCode,
  })

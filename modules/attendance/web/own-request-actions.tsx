import { parseId } from '#kit/domain/id.ts'
import type { Action } from '#kit/web/action.tsx'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { invalidate } from '#kit/web/query.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import {
  resubmitRequest,
  terminateRequest,
  withdrawRequest,
} from '#modules/approvals/contract/instance-actions.ts'
import type { AttendanceApply } from '../contract/apply.ts'
import { applyState } from '../contract/choices.ts'
import { nameOfApplication } from './application-actions.ts'

const commonOf = (row: AttendanceApply, actionLabel: string) => ({
  actionLabel,
  unit: '张申请',
  title: `${actionLabel}「${nameOfApplication(row)}」`,
  onDone: () => invalidate(['attendanceApply']),
})

/** The own request, as long as nobody has decided on it (APR-4). */
const withdraw = (row: AttendanceApply): Promise<boolean> =>
  confirmAndSend(withdrawRequest, {
    ...commonOf(row, '撤回'),
    reason: false,
    input: { id: parseId(row.instanceId) },
  })

/** What came back is sent in again as it was; with other contents it is given up and asked for once more. */
const resubmit = (row: AttendanceApply): Promise<boolean> =>
  confirmAndSend(resubmitRequest, {
    ...commonOf(row, '重新提交'),
    reason: false,
    consequences: ['申请内容不变；内容需要修改的，请放弃后重新申请。'],
    input: { id: parseId(row.instanceId) },
  })

const giveUp = (row: AttendanceApply): Promise<boolean> =>
  confirmAndSend(terminateRequest, {
    ...commonOf(row, '放弃'),
    input: reason => ({ id: parseId(row.instanceId), reason }),
  })

type OwnAction = Pick<Action, 'label' | 'disabledReason'> & { readonly run: () => Promise<boolean> }

/** What the person may do with a request of their own. */
export const ownActionsOf = (row: AttendanceApply): readonly OwnAction[] =>
  row.isReturned
    ? [
        { label: '重新提交', run: () => resubmit(row) },
        { label: '放弃', run: () => giveUp(row) },
      ]
    : [
        {
          label: '撤回',
          disabledReason: row.state === 'pending' ? undefined : '只有审批中的申请可以撤回',
          run: () => withdraw(row),
        },
      ]

export const OwnStatus = ({ row }: { readonly row: AttendanceApply }) =>
  row.isReturned ? (
    <Status tone="todo">已退回</Status>
  ) : (
    <ChoiceStatus choices={applyState} value={row.state} />
  )

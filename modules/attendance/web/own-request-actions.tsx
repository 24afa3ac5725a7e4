import { parseId } from '#kit/domain/id.ts'
import type { Action } from '#kit/web/action.tsx'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { invalidate } from '#kit/web/query.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { terminateRequest, withdrawRequest } from '#modules/approvals/contract/instance-actions.ts'
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

const giveUp = (row: AttendanceApply): Promise<boolean> =>
  confirmAndSend(terminateRequest, {
    ...commonOf(row, '放弃'),
    input: reason => ({ id: parseId(row.instanceId), reason }),
  })

/** `run` answers whether it is done; a form that it opens is not. */
type OwnAction = Pick<Action, 'label' | 'disabledReason'> & { readonly run: () => Promise<boolean> | false }

/** What the person may do with a request of their own; `amend` opens the form of one that came back. */
export const ownActionsOf = (
  row: AttendanceApply,
  amend: (row: AttendanceApply) => void,
): readonly OwnAction[] =>
  row.isAmendable
    ? [
        {
          label: '修改',
          run: () => {
            amend(row)
            return false
          },
        },
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

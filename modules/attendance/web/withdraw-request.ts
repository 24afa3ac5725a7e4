import { confirmAndSend } from '#kit/web/record-actions.ts'
import { invalidate } from '#kit/web/query.ts'
import { parseId } from '#kit/domain/id.ts'
import { withdrawRequest } from '#modules/approvals/contract/instance-actions.ts'
import type { AttendanceApply } from '../contract/apply.ts'
import { nameOfApplication } from './application-actions.ts'

export const withdrawRefusal = (row: AttendanceApply): string | undefined =>
  row.state === 'pending' ? undefined : '只有审批中的申请可以撤回'

/** The own request, as long as nobody has decided on it (APR-4). */
export const withdraw = (row: AttendanceApply): Promise<boolean> =>
  confirmAndSend(withdrawRequest, {
    actionLabel: '撤回',
    unit: '张申请',
    title: `撤回「${nameOfApplication(row)}」`,
    reason: false,
    input: { id: parseId(row.instanceId) },
    onDone: () => invalidate(['attendanceApply']),
  })

import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { codes } from '#kit/server/sql.ts'
import { remoteCommand, taskState } from '../contract/choices.ts'
import type { RemoteCommand } from '../contract/remote-command.ts'

/** A task as the server works with it. */
export interface TaskRow {
  readonly id: Id
  readonly projectCode: string
  readonly taskNo: string
  readonly clientNo?: string
  readonly gatewayId: Id
  readonly deviceId: Id
  readonly devNo?: string
  readonly cmdType: number
  readonly cmdData?: string
  readonly runInput: Readonly<Record<string, unknown>>
  readonly runTimeout: number
  readonly runPurpose?: string
  readonly runReference?: string
  readonly runRetries: number
  readonly operatorId: Id
  readonly operatorName: string
  readonly deadline: string
  readonly isCancelling: boolean
  readonly isDangerous: boolean
}

/** Columns of `TaskRow`, of the table `t`. */
export const taskColumns = sql`
  t.id, t.project_code, t.task_no, t.client_no, t.gateway_id, t.device_id, t.dev_no, t.cmd_type, t.cmd_data,
  t.run_input, t.run_timeout, t.run_purpose, t.run_reference, t.run_retries, t.operator_id, t.operator_name,
  t.deadline, t.is_cancelling, t.is_dangerous
`

/** Under way: sent, or received by the site (RMT-1). */
export const openTask: RawBuilder<unknown> = sql`t.state in ${codes(taskState, 'sent', 'received')}`

export const commandOfTask = ({ cmdType }: Pick<TaskRow, 'cmdType'>): RemoteCommand =>
  defined(keyOf(remoteCommand, cmdType))

import { useState, type ReactNode } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import type { Action } from '#kit/web/action.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { BatchAction } from '#kit/web/list/batch-bar.tsx'
import type { KindCalls } from '../contract/kind-calls.ts'
import type { WorkTask } from '../contract/task.ts'

const AssignDialog = lazyComponent(async () => (await import('./assign-dialog.tsx')).AssignDialog)

const hasPerson = ({ staffId, candidateIds }: WorkTask): boolean =>
  staffId !== undefined || Boolean(candidateIds?.length)

const refusalOf = ({ state, signTime }: WorkTask): string | undefined =>
  state === 'waiting' && signTime === undefined ? undefined : '未开始的任务才能指派、改派'

interface Asked {
  readonly tasks: readonly WorkTask[]
  readonly replaces: boolean
}

interface Assigning {
  readonly row: (task: WorkTask) => Action
  readonly batch: readonly BatchAction<WorkTask>[]
  readonly dialog: ReactNode
}

/** 指派 of tasks that nobody does, and 改派 of others, one or several, until they are started. */
export function useAssign(call: KindCalls['assign'], needs: Permission): Assigning {
  const [asked, ask] = useState<Asked>()
  const batchAction = (label: string, replaces: boolean): BatchAction<WorkTask> => ({
    label,
    needs,
    disabledReason: ({ rows }) =>
      rows.map(refusalOf).find(Boolean) ??
      (rows.some(task => hasPerson(task) !== replaces)
        ? `所选任务中有${replaces ? '无人可派的，请先指派' : '已有执行人的，请改派'}`
        : undefined),
    run: ({ rows }) => ask({ tasks: rows, replaces }),
  })
  return {
    row: task => ({
      label: hasPerson(task) ? '改派' : '指派',
      needs,
      disabledReason: refusalOf(task),
      run: () => ask({ tasks: [task], replaces: hasPerson(task) }),
    }),
    batch: [batchAction('指派', false), batchAction('改派', true)],
    dialog: asked && <AssignDialog call={call} {...asked} onClose={() => ask(undefined)} />,
  }
}

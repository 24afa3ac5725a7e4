import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import type { Id } from '#kit/domain/id.ts'
import { getRemoteTask } from '../contract/remote-task.ts'
import { CommandOutput } from './command-progress.tsx'
import './remote.css'

const formatRows = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2)
  } catch {
    return json
  }
}

/** The whole output of a task; for its sender and 设备安全. */
export function TaskResult({ id }: { readonly id: Id }) {
  const query = useCall(getRemoteTask, { id }, { quiet: true })
  return (
    <section className="task-result">
      <h3>执行结果</h3>
      <Loaded query={query} height={120} rows={3}>
        {task => (
          <>
            <CommandOutput text={task.output ?? ''} />
            {task.rows && <CommandOutput text={formatRows(task.rows)} />}
          </>
        )}
      </Loaded>
    </section>
  )
}

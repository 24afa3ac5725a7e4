import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { download } from '#kit/web/send.ts'
import type { Id } from '#kit/domain/id.ts'
import { downloadTaskOutput, getRemoteTask } from '../contract/remote-task.ts'
import { CommandOutput } from './command-progress.tsx'
import { WholeOutput } from './whole-output.tsx'
import './remote.css'

const formatRows = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2)
  } catch {
    return json
  }
}

/** The output of a task; for its sender and 设备安全. */
export function TaskResult({ id }: { readonly id: Id }) {
  const query = useCall(getRemoteTask, { id }, { quiet: true })
  return (
    <section className="task-result">
      <h3>执行结果</h3>
      <Loaded query={query} height={120} rows={3}>
        {task => (
          <>
            <CommandOutput text={task.output ?? ''} />
            {task.outputSize !== undefined && (
              <WholeOutput
                size={task.outputSize}
                sha256={task.outputSha256}
                download={() => download(downloadTaskOutput, { id })}
              />
            )}
            {task.rows && <CommandOutput text={formatRows(task.rows)} />}
          </>
        )}
      </Loaded>
    </section>
  )
}

import { Button } from 'antd'
import { labelOf } from '#kit/contract/field.ts'
import { PercentBar } from '#kit/web/numbers.tsx'
import { Status } from '#kit/web/status.tsx'
import { pushAction, remoteCommand } from '../contract/choices.ts'
import { isEnded, stateTexts } from './command-state.ts'
import { cancelCommand, useRunningCommand, type RunningCommand } from './running-commands.ts'
import './remote.css'

const percentOf = ({ progress }: RunningCommand): number | undefined =>
  progress && progress.total > 0 ? Math.floor((progress.done / progress.total) * 100) : undefined

const titleOf = ({ request: { push, command } }: RunningCommand): string =>
  push ? labelOf(pushAction, push.action) : labelOf(remoteCommand, command)

/** The state and progress of a command, and how to cancel it. */
export function CommandState({ command }: { readonly command: RunningCommand }) {
  const { state, reason } = command
  const [tone, text] = stateTexts[state]
  const percent = isEnded(state) ? undefined : percentOf(command)
  return (
    <span className="command-state">
      <Status tone={tone}>{text}</Status>
      {percent !== undefined && (
        <>
          <PercentBar percent={percent} label={titleOf(command)} />
          <span className="figure">{percent}%</span>
        </>
      )}
      {reason && state !== 'done' && <span className="command-reason">{reason}</span>}
      {!isEnded(state) && command.taskId !== undefined && (
        <Button size="small" onClick={() => void cancelCommand(command).catch(() => undefined)}>
          取消任务
        </Button>
      )}
    </span>
  )
}

/** The state of a listing, until its rows are there. */
export const ListingState = ({ command }: { readonly command: RunningCommand | undefined }) =>
  command && command.state !== 'done' ? <CommandState command={command} /> : null

const maxRows = 16

/** What a program wrote; a box that is read, so that it can be scrolled by keys and copied. */
export function CommandOutput({ text }: { readonly text: string }) {
  return (
    <textarea
      className="command-output scroll"
      aria-label="执行结果"
      readOnly
      rows={Math.min(text.split('\n').length, maxRows)}
      value={text || '（无输出）'}
    />
  )
}

/** The last command of a tool: its state and output. */
export function CommandProgress({
  taskNo,
  hidesOutput = false,
}: {
  readonly taskNo: string | undefined
  readonly hidesOutput?: boolean
}) {
  const command = useRunningCommand(taskNo)
  return (
    <div className="command-line" role="status">
      {command && (
        <>
          <span className="command-name">{titleOf(command)}</span>
          <CommandState command={command} />
          {!hidesOutput && command.output && <CommandOutput text={command.output} />}
        </>
      )}
    </div>
  )
}

import { Button, Input } from 'antd'
import { useState } from 'react'
import { Empty } from '#kit/web/page-feedback.tsx'
import { sendCommand } from './command-confirm.ts'
import { CommandOutput, CommandState } from './command-progress.tsx'
import type { RemoteGateway } from './gateway-access.ts'
import { isEnded } from './command-state.ts'
import { useRunningCommands } from './running-commands.ts'

/** Command lines on a site's computer, the latest first, with what they wrote. */
export function ShellTool({ gateway }: { readonly gateway: RemoteGateway }) {
  const [line, setLine] = useState('')
  const [taskNos, setTaskNos] = useState<readonly string[]>([])
  const commands = useRunningCommands(taskNos)
  const run = async (): Promise<void> => {
    const data = line.trim()
    if (!data) return
    const sent = await sendCommand({ gateway, command: 'runShell', data }, data)
    if (sent) {
      setTaskNos(all => [sent, ...all])
      setLine('')
    }
  }
  return (
    <div className="remote-tool">
      <form
        className="remote-bar"
        onSubmit={event => {
          event.preventDefault()
          void run()
        }}
      >
        <Input
          className="remote-shell"
          aria-label="命令"
          placeholder="命令，如 df -h"
          maxLength={2000}
          value={line}
          onChange={event => setLine(event.target.value)}
        />
        <Button type="primary" htmlType="submit" disabled={!line.trim()}>
          执行命令
        </Button>
      </form>
      {!commands.length && <Empty text="执行结果显示在此处" />}
      <ol className="shell-log scroll" aria-label="执行结果" aria-live="polite">
        {commands.map(command => (
          <li key={command.taskNo}>
            <header>
              <code>{command.request.data}</code>
              <CommandState command={command} />
            </header>
            {isEnded(command.state) && command.output !== undefined && (
              <CommandOutput text={command.output} />
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}

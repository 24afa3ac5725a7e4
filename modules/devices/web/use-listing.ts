import { useEffect, useRef, useState } from 'react'
import type { RemoteCommand } from '../contract/remote-command.ts'
import { isEnded } from './command-state.ts'
import type { CommandGateway } from './remote-message.ts'
import { startCommand, useRunningCommand } from './running-commands.ts'

/** Rows that a site lists: asked for when first shown and on request; the last ones stay until then. */
export function useListing<T>(
  gateway: CommandGateway,
  command: RemoteCommand,
  read: (json: string | undefined) => readonly T[],
) {
  const [taskNo, setTaskNo] = useState<string>()
  const [rows, setRows] = useState<readonly T[]>()
  const running = useRunningCommand(taskNo)
  const refresh = (): void => setTaskNo(startCommand({ gateway, command }))
  const isAsked = useRef(false)
  useEffect(() => {
    // React mounts a page again when it comes back to the front.
    if (isAsked.current) return
    isAsked.current = true
    refresh()
  }, [])
  useEffect(() => {
    if (running?.state === 'done') {
      setRows(read(running.rows))
    }
  }, [running])
  return {
    rows,
    refresh,
    running,
    isBusy: running !== undefined && !isEnded(running.state),
    /** Set where not all rows fit into a message. */
    note: running?.state === 'done' ? running.output : undefined,
  }
}

import { Input } from 'antd'
import { useState } from 'react'
import { ActionButton, useAllowedActions } from '#kit/web/action.tsx'
import type { DirectoryEntry } from '../contract/agent-protocol.ts'
import { commandRules } from '../contract/remote-command.ts'
import { sendCommand } from './command-confirm.ts'
import { CommandProgress, ListingState } from './command-progress.tsx'
import { DirectoryTable } from './directory-table.tsx'
import { commandRefusal, type RemoteGateway } from './gateway-access.ts'
import { joinPath } from './listing-rows.ts'
import { useRemoteDirectory } from './use-remote-directory.ts'
import { waitForEnd } from './running-commands.ts'

const noFile = '请选择一个文件'

/** A link can be deleted like a file; what it leads to is not run. */
const isEntry = (command: 'runFile' | 'deleteFile', entry: DirectoryEntry | undefined): boolean =>
  entry?.type === 'file' || (command === 'deleteFile' && entry?.type === 'link')

/** The files of a site's computer: looked at, run, deleted. */
export function FileTool({ gateway }: { readonly gateway: RemoteGateway }) {
  const directory = useRemoteDirectory(gateway)
  const [selected, setSelected] = useState<DirectoryEntry>()
  const [args, setArgs] = useState('')
  const [taskNo, setTaskNo] = useState<string>()
  const allowed = useAllowedActions()
  const path = selected ? joinPath(directory.path, selected.name) : ''
  const reasonFor = (command: 'runFile' | 'deleteFile'): string | undefined =>
    commandRefusal(gateway, command) ?? (isEntry(command, selected) ? undefined : noFile)
  const run = async (): Promise<void> => {
    const argumentText = args.trim()
    const data = argumentText ? JSON.stringify({ path, arguments: argumentText.split(/\s+/) }) : path
    setTaskNo(await sendCommand({ gateway, command: 'runFile', data }))
  }
  const remove = async (): Promise<void> => {
    const sent = await sendCommand({ gateway, command: 'deleteFile', data: path }, `文件 ${path}`)
    if (!sent) return
    setTaskNo(sent)
    const { state } = await waitForEnd(sent)
    if (state === 'done') {
      setSelected(undefined)
      directory.refresh()
    }
  }
  const actions = allowed([
    { label: '刷新', run: directory.refresh },
    { label: '运行文件', needs: commandRules.runFile.needs, disabledReason: reasonFor('runFile'), run },
    {
      label: '删除文件',
      needs: commandRules.deleteFile.needs,
      danger: true,
      disabledReason: reasonFor('deleteFile'),
      run: remove,
    },
  ])
  return (
    <div className="remote-tool">
      <div className="remote-bar">
        {actions.map(action => (
          <ActionButton key={action.label} action={action} />
        ))}
        {actions.some(action => action.label === '运行文件') && (
          <Input
            className="remote-arguments"
            aria-label="运行参数"
            placeholder="运行参数，以空格分隔"
            maxLength={500}
            value={args}
            onChange={event => setArgs(event.target.value)}
          />
        )}
        <ListingState command={directory.running} />
      </div>
      {directory.running?.state === 'done' && directory.running.output && (
        <p className="remote-note">{directory.running.output}</p>
      )}
      <CommandProgress taskNo={taskNo} />
      <DirectoryTable directory={directory} selected={selected} onSelect={setSelected} />
    </div>
  )
}

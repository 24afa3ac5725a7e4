import { Modal } from 'antd'
import { useState } from 'react'
import { toast } from '#kit/web/toast.ts'
import type { DirectoryEntry } from '../contract/agent-protocol.ts'
import { ListingState } from './command-progress.tsx'
import { DirectoryTable } from './directory-table.tsx'
import { isFolder, joinPath } from './listing-rows.ts'
import type { CommandGateway } from './remote-message.ts'
import { useRemoteDirectory } from './use-remote-directory.ts'
import './remote.css'

interface DirectoryDialogProps {
  readonly gateway: CommandGateway
  /** The folder, and the names of its files where it has been listed. */
  readonly onChoose: (path: string, fileNames: readonly string[] | undefined) => void
  readonly onClose: () => void
}

/** The folder on the site's computer for a pushed file: the selected one, or else the open one. */
export function DirectoryDialog({ gateway, onChoose, onClose }: DirectoryDialogProps) {
  const directory = useRemoteDirectory(gateway)
  const [selected, setSelected] = useState<DirectoryEntry>()
  const path = selected && isFolder(selected) ? joinPath(directory.path, selected.name) : directory.path
  const choose = (): void => {
    if (!path) return toast.warning('请选择目标目录')
    onChoose(
      path,
      directory.entriesAt(path)?.flatMap(entry => (entry.type === 'file' ? [entry.name] : [])),
    )
  }
  return (
    <Modal
      open
      width={720}
      title={`选择「${gateway.name}」的目标目录`}
      okText="选择该目录"
      cancelText="取消"
      onOk={choose}
      onCancel={onClose}
    >
      <div className="directory-dialog">
        <DirectoryTable directory={directory} selected={selected} onSelect={setSelected} />
        <p className="directory-chosen" role="status">
          {path ? `目标目录：${path}` : '双击打开文件夹，选中后点「选择该目录」'}
          <ListingState command={directory.running} />
        </p>
      </div>
    </Modal>
  )
}
